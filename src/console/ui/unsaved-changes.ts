import { useEffect, useRef } from "preact/hooks"
import { store } from "../api/store.ts"
import { type Guard, guards, unsavedGuards } from "../api/unsaved-guards.ts"

/** The action that waits for the answer whether to discard changes; undefined: none. */
export const pendingLeave = store<{ action: () => void; guards: readonly Guard[] } | undefined>(undefined)

/**
 * Runs an action that loses unsaved changes; asks first if there are any.
 * @param container the part of the page that the action removes; default: the entire page
 */
export function confirmLeave(action: () => void, container?: Element | null) {
  const unsaved = unsavedGuards(container)
  if (unsaved.length === 0) action()
  else pendingLeave.set({ action, guards: unsaved })
}

/** Discards all unsaved changes without asking. */
export function discardChanges() {
  for (const guard of guards) guard.discard()
}

/** URL of the current view. */
let currentUrl: string | undefined
export const setCurrentUrl = (url: string) => {
  currentUrl = url
}

/**
 * Asks before the back or forward button loses unsaved changes. Must be called before the router mounts: listeners run
 * in the order in which they were added.
 */
export function guardBrowserHistory() {
  addEventListener("popstate", (event) => {
    const url = currentUrl
    if (url === undefined || location.pathname + location.search === url || unsavedGuards().length === 0) return
    // The browser already navigated: restore the URL until the user answers.
    event.stopImmediatePropagation()
    history.pushState(null, "", url)
    confirmLeave(() => history.back())
  })
}

/** Guards changes outside of a Form. */
export function useUnsavedChanges(isChanged: boolean, discard: () => void = () => {}) {
  const latest = useRef({ isChanged, discard })
  latest.current = { isChanged, discard }
  useEffect(() => {
    const guard: Guard = {
      isChanged: () => latest.current.isChanged,
      discard: () => {
        latest.current.discard()
        latest.current.isChanged = false
      },
      element: () => null,
    }
    guards.add(guard)
    return () => {
      guards.delete(guard)
    }
  }, [])
}

/** Serializes the values of all named fields and the extra state. */
function serializeForm(form: HTMLFormElement, extraState: unknown): string {
  const fields = [...form.elements].map((field) => {
    if (field instanceof HTMLInputElement && field.name) {
      if (field.type === "checkbox" || field.type === "radio") return [field.name, field.checked]
      return [field.name, field.value]
    }
    if (field instanceof HTMLSelectElement && field.name)
      return [field.name, ...[...field.selectedOptions].map(({ value }) => value)]
    if (field instanceof HTMLTextAreaElement && field.name) return [field.name, field.value]
    return undefined
  })
  return JSON.stringify([fields.filter(Boolean), extraState])
}

const isTextControl = (target: EventTarget | null) =>
  target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement

/** Events that precede an edit, and events that may have edited a field. */
const BEFORE_EDIT = ["focusin", "pointerdown", "keydown", "dragenter"]
const AFTER_EDIT = ["input", "change", "drop", "dragend", "click", "pointerup", "pointercancel"]

/**
 * Detects unsaved changes by comparing the form with its state before the first edit. Fields that load later or are
 * updated by a refetch are no changes.
 * @param extraState values outside the named fields
 * @param listeners called after each possible edit, and when the person discards the changes
 */
export function useFormChanges(
  form: { current: HTMLFormElement | null },
  extraState: unknown,
  isAutoSaved: boolean,
  { onEdit, onDiscard }: { onEdit: () => void; onDiscard: () => void },
) {
  const latest = useRef({ extraState, isAutoSaved, onEdit, onDiscard })
  latest.current = { extraState, isAutoSaved, onEdit, onDiscard }
  const edits = useRef({
    isEdited: false,
    original: undefined as string | undefined,
    isEditedSinceSubmit: false,
    submitted: "",
  })
  const isChanged = () => edits.current.isEdited && content() !== edits.current.original
  const content = () => (form.current ? serializeForm(form.current, latest.current.extraState) : "")
  useEffect(() => {
    const element = form.current
    if (!element) return
    const beforeEdit = () => {
      if (!edits.current.isEdited) edits.current.original = content()
    }
    const afterEdit = ({ type, target }: Event) => {
      if ((type === "click" || type.startsWith("pointer")) && isTextControl(target)) return
      // The browser autofills passwords.
      if (edits.current.original === undefined && target instanceof Element && target.matches(":autofill")) return
      edits.current.isEditedSinceSubmit = true
      edits.current.isEdited = true
      latest.current.onEdit()
    }
    for (const type of BEFORE_EDIT) element.addEventListener(type, beforeEdit, { capture: true })
    for (const type of AFTER_EDIT) element.addEventListener(type, afterEdit, { capture: true })
    const guard: Guard = {
      isChanged: () => !latest.current.isAutoSaved && element.isConnected && isChanged(),
      discard: () => {
        edits.current.isEdited = false
        latest.current.onDiscard()
      },
      element: () => element,
    }
    guards.add(guard)
    return () => {
      guards.delete(guard)
      for (const type of BEFORE_EDIT) element.removeEventListener(type, beforeEdit, { capture: true })
      for (const type of AFTER_EDIT) element.removeEventListener(type, afterEdit, { capture: true })
    }
  }, [])
  return {
    isChanged,
    onSubmitStart: () => {
      edits.current.isEditedSinceSubmit = false
      edits.current.submitted = content()
    },
    onSubmitSuccess: () => {
      // Edits made during the request are still unsaved.
      edits.current.isEdited = edits.current.isEditedSinceSubmit
      edits.current.original = edits.current.submitted
    },
  }
}
