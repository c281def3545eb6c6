import type { Editor } from "@tiptap/core"
import {
  Bold,
  Code,
  Columns3,
  FoldHorizontal,
  FoldVertical,
  Grid2x2X,
  Heading2,
  Heading3,
  Heading4,
  Image,
  Italic,
  Link,
  List,
  ListOrdered,
  type LucideIcon,
  Quote,
  Redo2,
  Rows3,
  SquareCode,
  Strikethrough,
  Table,
  TableCellsMerge,
  Underline,
  Undo2,
} from "lucide-preact"
import { useRef } from "preact/hooks"
import { t } from "../../messages/messages.ts"
import { askText } from "../ask-text.tsx"
import { chooseFile } from "../media/choose-media.ts"

interface Tool {
  name: string
  icon: LucideIcon
  run: (editor: Editor) => unknown
  /** Whether it applies to the selection. Without it, the tool is an action. */
  isActive?: (editor: Editor) => boolean
  isShown?: (editor: Editor) => boolean
}

const MAX_URL_LENGTH = 2000

/** The URL of a typed address, which may be an email address. */
function toUrl(address: string): string {
  if (/^([a-z][\w+.-]*:|\/|#)/i.test(address)) return address
  return /^[^\s@/]+@[^\s@/]+$/.test(address) ? `mailto:${address}` : `https://${address}`
}

async function editLink(editor: Editor) {
  const value = String(editor.getAttributes("link").href ?? "")
  const href = await askText({
    title: t("editor:link"),
    label: t("editor:link.url"),
    hint: t("editor:link.hint"),
    value,
    maxLength: MAX_URL_LENGTH,
  })
  if (href === undefined) return editor.commands.focus()
  const chain = editor.chain().focus().extendMarkRange("link")
  if (href === "") return chain.unsetLink().run()
  const url = toUrl(href)
  if (!editor.state.selection.empty || value) return chain.setLink({ href: url }).run()
  const marks = [{ type: "link", attrs: { href: url } }]
  return chain.insertContent({ type: "text", text: href, marks }).run()
}

async function insertImage(editor: Editor) {
  const media = await chooseFile(["image"])
  if (!media) return
  const alt = await askText({
    title: media.name,
    label: t("editor:image.alt"),
    hint: t("editor:image.alt.hint"),
    value: media.altText,
    maxLength: 500,
  })
  const image = { type: "image", attrs: { src: media.url, alt: alt ?? media.altText } }
  // The text goes on after the image.
  editor
    .chain()
    .focus()
    .insertContent([image, { type: "paragraph" }])
    .run()
}

const mark = (name: string, icon: LucideIcon, run: Tool["run"]): Tool => ({
  name,
  icon,
  run,
  isActive: (editor) => editor.isActive(name),
})
const heading = (level: 2 | 3 | 4, icon: LucideIcon): Tool => ({
  name: `heading-${level}`,
  icon,
  run: (editor) => editor.chain().focus().toggleHeading({ level }).run(),
  isActive: (editor) => editor.isActive("heading", { level }),
})
const inTable = (name: string, icon: LucideIcon, run: Tool["run"]): Tool => ({
  name,
  icon,
  run,
  isShown: (editor) => editor.isActive("table"),
})

const TOOLS: readonly (readonly Tool[])[] = [
  [heading(2, Heading2), heading(3, Heading3), heading(4, Heading4)],
  [
    mark("bold", Bold, (editor) => editor.chain().focus().toggleBold().run()),
    mark("italic", Italic, (editor) => editor.chain().focus().toggleItalic().run()),
    mark("underline", Underline, (editor) => editor.chain().focus().toggleUnderline().run()),
    mark("strike", Strikethrough, (editor) => editor.chain().focus().toggleStrike().run()),
    mark("code", Code, (editor) => editor.chain().focus().toggleCode().run()),
    mark("link", Link, editLink),
  ],
  [
    mark("bulletList", List, (editor) => editor.chain().focus().toggleBulletList().run()),
    mark("orderedList", ListOrdered, (editor) => editor.chain().focus().toggleOrderedList().run()),
    mark("blockquote", Quote, (editor) => editor.chain().focus().toggleBlockquote().run()),
    mark("codeBlock", SquareCode, (editor) => editor.chain().focus().toggleCodeBlock().run()),
  ],
  [
    { name: "image", icon: Image, run: insertImage },
    {
      name: "table",
      icon: Table,
      run: (editor) => editor.chain().focus().insertTable({ rows: 3, cols: 3, withHeaderRow: true }).run(),
      isShown: (editor) => !editor.isActive("table"),
    },
    inTable("table.row", Rows3, (editor) => editor.chain().focus().addRowAfter().run()),
    inTable("table.column", Columns3, (editor) => editor.chain().focus().addColumnAfter().run()),
    inTable("table.merge", TableCellsMerge, (editor) => editor.chain().focus().mergeOrSplit().run()),
    inTable("table.delete-row", FoldVertical, (editor) => editor.chain().focus().deleteRow().run()),
    inTable("table.delete-column", FoldHorizontal, (editor) => editor.chain().focus().deleteColumn().run()),
    inTable("table.delete", Grid2x2X, (editor) => editor.chain().focus().deleteTable().run()),
  ],
  [
    { name: "undo", icon: Undo2, run: (editor) => editor.chain().focus().undo().run() },
    { name: "redo", icon: Redo2, run: (editor) => editor.chain().focus().redo().run() },
  ],
]

const STEPS: Record<string, number> = { ArrowLeft: -1, ArrowRight: 1 }

/** The buttons of the editor. The arrow keys move between them; one of them is in the tab order. */
export function Toolbar({ editor, label }: { editor: Editor; label: string }) {
  const bar = useRef<HTMLDivElement>(null)
  const onKeyDown = (event: KeyboardEvent) => {
    const step = STEPS[event.key]
    const buttons = [...(bar.current?.querySelectorAll("button") ?? [])]
    const at = buttons.indexOf(event.target as HTMLButtonElement)
    if (step === undefined || at < 0) return
    event.preventDefault()
    const direction = document.documentElement.dir === "rtl" ? -step : step
    buttons[(at + direction + buttons.length) % buttons.length]?.focus()
  }
  let isFirst = true
  return (
    <div ref={bar} class="toolbar" role="toolbar" aria-label={label} onKeyDown={onKeyDown}>
      {TOOLS.map((group) => (
        <div key={group[0]?.name} class="tools">
          {group
            .filter(({ isShown }) => isShown?.(editor) ?? true)
            .map(({ name, icon: Icon, run, isActive }) => {
              const tabIndex = isFirst ? 0 : -1
              isFirst = false
              const title = t(`editor:tool.${name}`)
              return (
                <button
                  key={name}
                  type="button"
                  class="icon"
                  tabIndex={tabIndex}
                  title={title}
                  aria-label={title}
                  aria-pressed={isActive?.(editor)}
                  // The selection of the text stays.
                  onMouseDown={(event) => event.preventDefault()}
                  onClick={() => run(editor)}
                >
                  <Icon size={18} aria-hidden="true" />
                </button>
              )
            })}
        </div>
      ))}
    </div>
  )
}
