import type { FunctionComponent } from "preact"
import { lazy } from "preact-iso"
import type { Access } from "../../lib/caller.ts"
import { loadWithMessages } from "../messages/messages.ts"

/** Navigation groups, in display order. */
export const GROUPS = [
  "learning",
  "users",
  "content",
  "rewards",
  "communication",
  "reports",
  "developers",
  "account",
] as const

/** A page of the console. */
export interface View {
  /** Route pattern below /console, such as `/users/:id`. */
  path: string
  /** The lowest role that may open the view. */
  access: Access
  /** Group and message key in the navigation; omit for pages that other views link to. */
  nav?: { group: (typeof GROUPS)[number]; label: string }
  component: FunctionComponent
}

/** Loads a view and its message catalog on first visit. */
export const view = (catalog: string, load: () => Promise<{ default: FunctionComponent }>): FunctionComponent =>
  lazy(() => loadWithMessages(catalog, load()))
