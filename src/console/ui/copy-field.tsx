import { useRef } from "preact/hooks"
import { announce } from "../api/announce.ts"
import { t } from "../messages/messages.ts"
import { Field } from "./form.tsx"

interface CopyFieldProps {
  name: string
  label: string
  value: string
  hint?: string
}

/** A text that people take elsewhere, and a button that copies it. */
export function CopyField({ name, label, value, hint }: CopyFieldProps) {
  const input = useRef<HTMLInputElement>(null)
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(value)
      announce(t("copied"))
    } catch {
      // The browser refused: the text is selected, so that the person can copy it.
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
      <p>
        <button type="button" onClick={copy}>
          {t("copy")}
        </button>
      </p>
    </>
  )
}
