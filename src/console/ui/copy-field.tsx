import type { ComponentChildren } from "preact"
import { useRef } from "preact/hooks"
import { announce } from "../api/announce.ts"
import { t } from "../messages/messages.ts"
import { Field } from "./form.tsx"

interface CopyFieldProps {
  name: string
  label: string
  value: string
  hint?: string
  /** More buttons. */
  children?: ComponentChildren
}

/** A read-only text with a copy button. */
export function CopyField({ name, label, value, hint, children }: CopyFieldProps) {
  const input = useRef<HTMLInputElement>(null)
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(value)
      announce(t("copied"))
    } catch {
      // The browser denied access to the clipboard: the selected text can be copied by hand.
      input.current?.select()
    }
  }
  return (
    <>
      <Field name={name} label={label} {...(hint && { hint })}>
        {(attributes) => (
          <input {...attributes} ref={input} class="copied" dir="ltr" type="text" readOnly value={value} />
        )}
      </Field>
      <p class="actions">
        <button type="button" onClick={copy}>
          {t("copy")}
        </button>
        {children}
      </p>
    </>
  )
}
