import { ClipboardPen, FileText, ListChecks, type LucideIcon, Package, Video } from "lucide-preact"

const ICONS: Record<string, LucideIcon> = {
  text: FileText,
  video: Video,
  quiz: ListChecks,
  assignment: ClipboardPen,
  scorm: Package,
}

/** The icon of a module's type, beside a text that names it. */
export function ModuleIcon({ type }: { type: string }) {
  const Icon = ICONS[type] ?? FileText
  return <Icon size={18} aria-hidden />
}
