import { hasAccess, type Me } from "./api/me.tsx"
import { account } from "./views/account/views.ts"
import { announcements } from "./views/announcements/views.ts"
import { audit } from "./views/audit/views.ts"
import { billing } from "./views/billing/views.ts"
import { certificates } from "./views/certificates/views.ts"
import { classes } from "./views/classes/views.ts"
import { compliance } from "./views/compliance/views.ts"
import { courses } from "./views/courses/views.ts"
import { developers } from "./views/developers/views.ts"
import { exports } from "./views/exports/views.ts"
import { gamification } from "./views/gamification/views.ts"
import { home } from "./views/home/views.ts"
import { learner } from "./views/learner/views.ts"
import { media } from "./views/media/views.ts"
import { notifications } from "./views/notifications/views.ts"
import { organizations } from "./views/organizations/views.ts"
import { reports } from "./views/reports/views.ts"
import { reviews } from "./views/reviews/views.ts"
import { settings } from "./views/settings/views.ts"
import { teaching } from "./views/teaching/views.ts"
import { users } from "./views/users/views.ts"
import type { View } from "./views/view.ts"

/** All views. Within a group, the navigation lists them in this order. */
export const views: readonly View[] = [
  ...home,
  ...learner,
  ...users,
  ...teaching,
  ...courses,
  ...reviews,
  ...media,
  ...compliance,
  ...classes,
  ...certificates,
  ...gamification,
  ...announcements,
  ...billing,
  ...settings,
  ...organizations,
  ...notifications,
  ...reports,
  ...exports,
  ...audit,
  ...developers,
  ...account,
]

/** The route pattern of a view. */
export const routeOf = ({ path }: View) => `/console${path === "/" ? "" : path}`

/** The parameters of a path of this pattern, such as `/console/users/:id`; undefined: it is of another. */
function paramsOf(path: string, pattern: string): Record<string, string> | undefined {
  const parts = path.split("/").filter(Boolean)
  const names = pattern.split("/").filter(Boolean)
  if (parts.length !== names.length) return undefined
  const params: Record<string, string> = {}
  for (const [at, name] of names.entries()) {
    if (name.startsWith(":")) params[name.slice(1)] = parts[at] ?? ""
    else if (name !== parts[at]) return undefined
  }
  return params
}

const viewAt = (path: string) => views.find((view) => paramsOf(path, routeOf(view)))

/** Starts to load the code and the messages of the view at this address. */
export const preloadView = ({ pathname }: { pathname: string }) => void viewAt(pathname)?.component.preload?.()

/** Starts to load the view at this address with its data. */
export function prefetchView(me: Me, { pathname, search }: { pathname: string; search: string }) {
  const view = viewAt(pathname)
  if (!view || !hasAccess(me, view.access)) return
  view.component.preload?.()
  const params = paramsOf(pathname, routeOf(view))
  view.prefetch?.({ me, search, id: (name) => Number(params?.[name]) })
}
