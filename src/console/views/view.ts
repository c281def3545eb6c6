import type { LucideIcon } from "lucide-preact"
import type { FunctionComponent } from "preact"
import { lazy } from "preact-iso"
import type { Access } from "../../lib/caller.ts"
import type { Me } from "../api/me.tsx"
import { loadWithMessages } from "../messages/messages.ts"
import { UnavailableView } from "../ui/unavailable-view.tsx"

/** The groups of the navigation, in display order. The views of `account` are in the user menu. */
export const GROUPS = ["start", "people", "training", "insights", "settings"] as const

/** A page of the console. */
export interface View {
  /** Route pattern below /console, such as `/users/:id`. */
  path: string
  /** The lowest role that may open the view. */
  access: Access
  /** Its entry in the navigation; omit for pages that other views link to. */
  nav?: {
    group: (typeof GROUPS)[number] | "account"
    /** The message key. */
    label: string
    icon: LucideIcon
    /** The path of the entry to which it belongs: then it is a tab of that section. */
    within?: string
    /** The message key of the section, if other entries belong to it. */
    section?: string
  }
  component: ViewComponent
  /** Starts to fetch what the view reads first, while its code loads. */
  prefetch?: (place: Place) => unknown
}

/** Where a view opens. */
export interface Place {
  me: Me
  /** The record of the path, by the name of its parameter. */
  id: (name: string) => number
  /** The query string. */
  search: string
}

/** A component whose code can be loaded before it is rendered. */
type ViewComponent<Props = object> = FunctionComponent<Props> & { preload?: () => unknown }

/** Loads a view and its message catalog on first visit. Without a connection, one that was never visited fails. */
export const view = <Props = object>(
  catalog: string,
  load: () => Promise<{ default: FunctionComponent<Props> }>,
): ViewComponent<Props> =>
  lazy(() => loadWithMessages(catalog, load()).catch(() => ({ default: UnavailableView as FunctionComponent<Props> })))
