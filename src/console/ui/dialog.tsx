import { type ComponentChildren, createContext } from "preact"
import { useContext, useEffect, useId, useRef, useState } from "preact/hooks"
import { t } from "../messages/messages.ts"
import { ErrorMessage } from "./error-message.tsx"
import { confirmLeave } from "./unsaved-changes.ts"

interface DialogProps {
  title: string
  onClose: () => void
  children: ComponentChildren
  /** At the end of the window, as high as the window: for long forms. */
  isDrawer?: boolean
}

/** Milliseconds that the page behind the dialog needs to re-render. */
const RENDER_DELAY_MS = 100

/** Closes the surrounding dialog; asks first if it has unsaved changes. */
const CloseContext = createContext<() => void>(() => {})

/** Closes the surrounding dialog. */
export const CancelButton = () => (
  <button type="button" onClick={useContext(CloseContext)}>
    {t("cancel")}
  </button>
)

/**
 * A modal dialog. Closing it returns the focus to where it was, or to the page heading if that element was removed.
 */
export function Dialog({ title, onClose, children, isDrawer = false }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const id = useId()
  const isUnmounted = useRef(false)
  useEffect(() => {
    const element = dialog.current
    element?.showModal()
    return () => {
      isUnmounted.current = true
      // The browser restores the focus, but the focused element may be removed right after, such as a deleted row.
      element?.close()
      setTimeout(() => {
        const isLost = document.activeElement === document.body && !document.querySelector("dialog[open]")
        if (isLost) document.querySelector<HTMLElement>("main h1")?.focus()
      }, RENDER_DELAY_MS)
    }
  }, [])
  const close = () => confirmLeave(() => dialog.current?.close(), dialog.current)
  return (
    <dialog
      ref={dialog}
      class={isDrawer ? "drawer" : undefined}
      aria-labelledby={id}
      onCancel={(event) => {
        // A file input within the dialog fires cancel events too.
        if (event.target !== dialog.current) return
        event.preventDefault()
        close()
      }}
      onClose={() => isUnmounted.current || onClose()}
    >
      <div class="dialog-head">
        <h2 id={id}>{title}</h2>
        <button type="button" class="plain" onClick={close} aria-label={t("close")}>
          ✕
        </button>
      </div>
      <CloseContext.Provider value={close}>{children}</CloseContext.Provider>
    </dialog>
  )
}

interface ConfirmDialogProps {
  title: string
  /** The consequences. */
  children: ComponentChildren
  confirm: string
  onConfirm: () => Promise<unknown>
  onClose: () => void
}

/** Asks for confirmation of an action. */
export function ConfirmDialog({ title, children, confirm, onConfirm, onClose }: ConfirmDialogProps) {
  const [error, setError] = useState<unknown>()
  const [isBusy, setIsBusy] = useState(false)
  const confirmAction = async () => {
    if (isBusy) return
    setIsBusy(true)
    try {
      await onConfirm()
      onClose()
    } catch (failure) {
      setError(failure)
      setIsBusy(false)
    }
  }
  return (
    <Dialog title={title} onClose={onClose}>
      <ErrorMessage error={error} />
      {children}
      <div class="actions">
        <button type="button" class="danger" onClick={confirmAction} aria-disabled={isBusy}>
          {isBusy ? t("working") : confirm}
        </button>
        <button type="button" onClick={onClose}>
          {t("cancel")}
        </button>
      </div>
    </Dialog>
  )
}
