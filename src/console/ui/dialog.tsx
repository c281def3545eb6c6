import { type ComponentChildren, createContext } from "preact"
import { useContext, useEffect, useId, useRef, useState } from "preact/hooks"
import { t } from "../messages/messages.ts"
import { Problem } from "./error-message.tsx"
import { leave } from "./unsaved-changes.ts"

interface DialogProps {
  title: string
  onClose: () => void
  children: ComponentChildren
}

/** Milliseconds after which the page behind a dialog shows what was done in it. */
const SETTLED = 100

/** Closes the dialog around, after asking where a form in it has unsaved changes. */
const Closing = createContext<() => void>(() => {})

/** The button that closes the dialog around. */
export const Cancel = () => (
  <button type="button" onClick={useContext(Closing)}>
    {t("cancel")}
  </button>
)

/**
 * A dialog over the page; Escape and its button close it. The focus goes back to where it was, or to the page's heading
 * where that is gone.
 */
export function Dialog({ title, onClose, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const id = useId()
  const gone = useRef(false)
  useEffect(() => {
    const shown = dialog.current
    shown?.showModal()
    return () => {
      gone.current = true
      // The browser gives the focus back; what had it may go a moment later, with the row that was deleted.
      shown?.close()
      setTimeout(() => {
        const isLost = document.activeElement === document.body && !document.querySelector("dialog[open]")
        if (isLost) document.querySelector<HTMLElement>("main h1")?.focus()
      }, SETTLED)
    }
  }, [])
  const close = () => leave(() => dialog.current?.close(), dialog.current)
  return (
    <dialog
      ref={dialog}
      aria-labelledby={id}
      onCancel={(event) => {
        // A file input in the dialog has a cancel event of its own.
        if (event.target !== dialog.current) return
        event.preventDefault()
        close()
      }}
      onClose={() => gone.current || onClose()}
    >
      <header>
        <h2 id={id}>{title}</h2>
        <button type="button" class="plain" onClick={close} aria-label={t("close")}>
          ✕
        </button>
      </header>
      <Closing.Provider value={close}>{children}</Closing.Provider>
    </dialog>
  )
}

interface ConfirmProps {
  title: string
  /** What it does, and whether it can be taken back. */
  children: ComponentChildren
  confirm: string
  onConfirm: () => Promise<unknown>
  onClose: () => void
}

/** Asks before something is done that cannot be taken back. */
export function Confirm({ title, children, confirm, onConfirm, onClose }: ConfirmProps) {
  const [error, setError] = useState<unknown>()
  const [busy, setBusy] = useState(false)
  const act = async () => {
    setBusy(true)
    try {
      await onConfirm()
      onClose()
    } catch (failure) {
      setError(failure)
      setBusy(false)
    }
  }
  return (
    <Dialog title={title} onClose={onClose}>
      <Problem error={error} />
      {children}
      <div class="actions">
        <button type="button" class="danger" onClick={act} disabled={busy}>
          {busy ? t("working") : confirm}
        </button>
        <button type="button" onClick={onClose}>
          {t("cancel")}
        </button>
      </div>
    </Dialog>
  )
}
