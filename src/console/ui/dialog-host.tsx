import type { ComponentChild } from "preact"
import { store, useStore } from "../api/store.ts"

const opened = store<ComponentChild>(null)

/** Shows dialogs outside of forms, whose fields they must not add to. Part of the page, so that ids stay unique. */
export const DialogHost = () => <>{useStore(opened)}</>

/**
 * Opens a dialog outside of the current form.
 * @returns what it is closed with; undefined if it was closed without an answer
 */
export const openDialog = <Answer,>(dialog: (close: (answer?: Answer) => void) => ComponentChild) =>
  new Promise<Answer | undefined>((resolve) => {
    const close = (answer?: Answer) => {
      opened.set(null)
      resolve(answer)
    }
    opened.set(dialog(close))
  })
