import { useEffect, useId, useRef, useState } from "preact/hooks"
import { t } from "../messages/messages.ts"
import { TextArea } from "./form.tsx"
import { toEditableText, toHtml } from "./html.ts"
import { RichText } from "./rich-text.tsx"

interface HtmlFieldProps {
  name: string
  label: string
  /** Initial HTML. */
  value: string
  rows?: number
  required?: boolean
}

const hasSameText = (a: string, b: string) => a.replaceAll("\r\n", "\n") === b.replaceAll("\r\n", "\n")

/**
 * A field for HTML or plain text with a preview. The form submits HTML: line breaks of plain text become paragraphs,
 * and an unedited value is submitted unchanged.
 */
export function HtmlField({ name, label, value, rows = 8, required = false }: HtmlFieldProps) {
  const id = useId()
  const field = useRef<HTMLDivElement>(null)
  const text = toEditableText(value)
  const [html, setHtml] = useState(value)
  const latest = useRef({ value, text })
  latest.current = { value, text }
  useEffect(() => {
    const form = field.current?.closest("form")
    const onFormData = ({ formData }: FormDataEvent) => {
      const input = String(formData.get(name) ?? "")
      const { value, text } = latest.current
      formData.set(name, hasSameText(input, text) ? value : toHtml(input))
    }
    form?.addEventListener("formdata", onFormData)
    return () => form?.removeEventListener("formdata", onFormData)
  }, [name])
  return (
    <div class="html-field" ref={field}>
      <TextArea
        name={name}
        label={label}
        hint={t("html.hint")}
        rows={rows}
        dir="auto"
        spellcheck
        required={required}
        defaultValue={text}
        onInput={(event) => setHtml(event.currentTarget.value)}
      />
      <section class="preview" aria-labelledby={id}>
        <p class="quiet" id={id}>
          {t("html.preview", { label })}
        </p>
        <RichText html={html} />
      </section>
    </div>
  )
}
