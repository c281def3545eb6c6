import { Editor } from "@tiptap/core"
import { useEffect, useReducer, useRef, useState } from "preact/hooks"
import { LecternError } from "../../../client/index.ts"
import { announce } from "../../api/announce.ts"
import { t } from "../../messages/messages.ts"
import { errorMessage } from "../api-message.ts"
import { toHtml } from "../html.ts"
import { ACCEPT } from "../media/media-kind.ts"
import { uploadFile } from "../media/upload.ts"
import { cleanPastedHtml } from "./paste.ts"
import { extensions, isEditable, toStoredHtml } from "./schema.ts"
import { Toolbar } from "./toolbar.tsx"
import "./editor.css"

interface RichTextEditorProps {
  /** The id of the label. */
  labelId: string
  label: string
  /** Initial HTML. */
  value: string
  onChange: (html: string) => void
  /** Called if the editor would lose parts of the HTML. */
  onUnsupported: () => void
}

const imagesOf = (files: FileList | undefined | null) =>
  [...(files ?? [])].filter(({ type }) => ACCEPT.image.includes(type))

/** Uploads images that were pasted or dropped, and inserts each when it is complete. @returns whether there are any */
function insertFiles(editor: Editor | undefined, files: FileList | undefined | null): boolean {
  const images = imagesOf(files)
  for (const file of images) {
    announce(t("editor:image.uploading", { name: file.name }))
    const { progress } = uploadFile(file, (id) => {
      if (editor && !editor.isDestroyed)
        editor.commands.setImage({ src: `/api/media/${id}/file`, alt: file.name.replace(/\.\w+$/, "") })
    })
    progress.subscribe(() => {
      const { state, error } = progress.get()
      if (state !== "failed") return
      const reason = error instanceof LecternError ? errorMessage(error, new Map()).text : ""
      announce(t("editor:image.failed", { name: file.name, reason }))
    })
  }
  return images.length > 0
}

/** An editor for HTML that the service stores unchanged. */
export function RichTextEditor({ labelId, label, value, onChange, onUnsupported }: RichTextEditorProps) {
  const element = useRef<HTMLDivElement>(null)
  const [editor, setEditor] = useState<Editor>()
  // Which buttons are pressed depends on the selection.
  const [, update] = useReducer((count: number) => count + 1, 0)
  const latest = useRef({ onChange, onUnsupported })
  latest.current = { onChange, onUnsupported }
  useEffect(() => {
    if (!element.current) return
    const content = toHtml(value)
    const created: Editor = new Editor({
      element: element.current,
      extensions: extensions(),
      content,
      // The policy allows no style element.
      injectCSS: false,
      editorProps: {
        attributes: {
          class: "rich-text",
          role: "textbox",
          "aria-multiline": "true",
          "aria-labelledby": labelId,
          dir: "auto",
        },
        transformPastedHTML: cleanPastedHtml,
        handlePaste: (_, { clipboardData }) =>
          !clipboardData?.types.includes("text/html") && insertFiles(created, clipboardData?.files),
        handleDrop: (_, { dataTransfer }) => insertFiles(created, dataTransfer?.files),
      },
      onUpdate: ({ editor }) => latest.current.onChange(toStoredHtml(editor.getHTML())),
      onTransaction: () => update(undefined),
    })
    if (!isEditable(content, created.getHTML())) {
      created.destroy()
      latest.current.onUnsupported()
      return
    }
    setEditor(created)
    return () => created.destroy()
  }, [])
  return (
    <div class={editor ? "editor" : "editor starting"}>
      {editor && <Toolbar editor={editor} label={t("editor:toolbar", { label })} />}
      <div ref={element} />
    </div>
  )
}
