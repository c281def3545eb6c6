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

/** Whether a pattern such as `/console/users/:id` matches a path. */
function matches(path: string, pattern: string): boolean {
  const [parts, expected] = [path, pattern].map((text) => text.split("/").filter(Boolean)) as [string[], string[]]
  return parts.length === expected.length && expected.every((part, at) => part.startsWith(":") || part === parts[at])
}

/** Starts to load the code and the messages of the view at this path. */
export const preloadView = (path: string) =>
  void views.find((view) => matches(path, routeOf(view)))?.component.preload?.()
