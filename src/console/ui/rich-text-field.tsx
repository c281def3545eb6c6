import { useEffect, useId, useRef, useState } from "preact/hooks"
import { loadWithMessages, t } from "../messages/messages.ts"
import type { RichTextEditor } from "./editor/rich-text-editor.tsx"
import { FieldErrors } from "./form.tsx"
import { toHtml } from "./html.ts"
import { HtmlField } from "./html-field.tsx"
import { useStoredState } from "./stored-state.ts"

interface RichTextFieldProps {
  name: string
  label: string
  /** Initial HTML. */
  value: string
}

const loadEditor = () => loadWithMessages("editor", import("./editor/rich-text-editor.tsx"))

/**
 * A field for HTML with a visual editor. HTML that the editor would change is edited as HTML. An unedited value is
 * submitted unchanged.
 */
export function RichTextField({ name, label, value }: RichTextFieldProps) {
  const id = useId()
  const field = useRef<HTMLDivElement>(null)
  const [html, setHtml, revision] = useStoredState(value, (text) => text)
  const [mode, setMode] = useState<"visual" | "html">("visual")
  const [isUnsupported, setIsUnsupported] = useState(false)
  const [Editor, setEditor] = useState<typeof RichTextEditor>()
  useEffect(() => {
    loadEditor().then(({ RichTextEditor }) => setEditor(() => RichTextEditor))
  }, [])
  const editVisually = () => {
    const source = field.current?.closest("form")?.elements.namedItem(name)
    if (source instanceof HTMLTextAreaElement) setHtml(toHtml(source.value))
    setIsUnsupported(false)
    setMode("visual")
  }
  return (
    <div class="field rich-text-field" ref={field}>
      <div class="field-head">
        {/* biome-ignore lint/a11y/noLabelWithoutControl: the editor refers to it */}
        <label id={id}>{label}</label>
        <button type="button" class="plain" onClick={mode === "visual" ? () => setMode("html") : editVisually}>
          {t(mode === "visual" ? "html.edit" : "html.visual")}
        </button>
      </div>
      {mode === "html" ? (
        <>
          {isUnsupported && <p class="quiet">{t("html.unsupported")}</p>}
          <HtmlField name={name} label={label} value={html} rows={14} />
        </>
      ) : (
        <>
          <input type="hidden" name={name} value={html} />
          {Editor ? (
            <Editor
              key={revision}
              labelId={id}
              label={label}
              value={html}
              onChange={setHtml}
              onUnsupported={() => {
                setIsUnsupported(true)
                setMode("html")
              }}
            />
          ) : (
            <p class="editor-loading loading" role="status">
              {t("loading")}
            </p>
          )}
          <FieldErrors name={name} label={label} id={`${id}-error`} />
        </>
      )}
    </div>
  )
}
