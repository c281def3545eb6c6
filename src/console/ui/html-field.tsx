import { useEffect, useId, useRef, useState } from "preact/hooks"
import { t } from "../messages/messages.ts"
import { TextArea } from "./form.tsx"
import { htmlOf, typedOf } from "./html.ts"
import { RichText } from "./rich-text.tsx"

interface HtmlFieldProps {
  name: string
  label: string
  /** What is there at first. */
  value: string
  rows?: number
  required?: boolean
}

const sameLines = (a: string, b: string) => a.replaceAll("\r\n", "\n") === b.replaceAll("\r\n", "\n")

/**
 * A text written as HTML or as plain text, shown beside it as learners see it. The form has it as HTML, in which the
 * line breaks of plain text are kept; what was not edited goes back as it was read.
 */
export function HtmlField({ name, label, value, rows = 8, required = false }: HtmlFieldProps) {
  const id = useId()
  const field = useRef<HTMLDivElement>(null)
  const typed = typedOf(value)
  const [html, setHtml] = useState(value)
  const latest = useRef({ value, typed })
  latest.current = { value, typed }
  useEffect(() => {
    const form = field.current?.closest("form")
    const give = ({ formData }: FormDataEvent) => {
      const given = String(formData.get(name) ?? "")
      const { value, typed } = latest.current
      formData.set(name, sameLines(given, typed) ? value : htmlOf(given))
    }
    form?.addEventListener("formdata", give)
    return () => form?.removeEventListener("formdata", give)
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
        defaultValue={typed}
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
