import { useId, useState } from "preact/hooks"
import { t } from "../messages/messages.ts"
import { TextArea } from "./form.tsx"
import { RichText } from "./rich-text.tsx"

interface HtmlFieldProps {
  name: string
  label: string
  /** What is there at first. */
  value: string
  rows?: number
}

/** A text written as HTML, shown beside it as learners see it. */
export function HtmlField({ name, label, value, rows = 8 }: HtmlFieldProps) {
  const id = useId()
  const [html, setHtml] = useState(value)
  return (
    <div class="html-field">
      <TextArea
        name={name}
        label={label}
        hint={t("html.hint")}
        rows={rows}
        dir="auto"
        spellcheck
        defaultValue={value}
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
