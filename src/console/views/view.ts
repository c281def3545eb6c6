import type { FunctionComponent } from "preact"
import { lazy } from "preact-iso"
import type { Access } from "../../lib/caller.ts"
import { withMessages } from "../messages/messages.ts"

/** The groups of the navigation, in their order. */
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

/** A part of the console, at an address of its own. */
export interface View {
  /** Below /console, as the router matches it: `/users/:id`. */
  path: string
  /** The least role that the API asks for what the view needs. */
  access: Access
  /** Its place in the navigation, and its name there (`nav.users`); left out: links of other views lead to it. */
  nav?: { group: (typeof GROUPS)[number]; label: string }
  component: FunctionComponent
}

/** A view loads when it is first come to, its words with it. */
export const view = (catalog: string, load: () => Promise<{ default: FunctionComponent }>): FunctionComponent =>
  lazy(() => withMessages(catalog, load()))
