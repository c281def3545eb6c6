import type { LucideIcon } from "lucide-preact"

/** What a list without records says. */
export interface EmptyContent {
  icon: LucideIcon
  /** One sentence. */
  text: string
  /** The step that fills the list. */
  action?: { label: string } & ({ href: string } | { onClick: () => void })
}

const ICON_SIZE = 28

/** An empty list: an icon, a sentence and a button. */
export const EmptyState = ({ icon: Icon, text, action }: EmptyContent) => (
  <div class="empty">
    <Icon size={ICON_SIZE} strokeWidth={1.5} aria-hidden />
    <p>{text}</p>
    {action &&
      ("href" in action ? (
        <a class="button" href={`/console${action.href}`}>
          {action.label}
        </a>
      ) : (
        <button type="button" onClick={action.onClick}>
          {action.label}
        </button>
      ))}
  </div>
)
