// The sample academy (npm start on an empty database; never on a deployment). A family each; add yours to the list.
import { setTimeout as sleep } from "node:timers/promises"
import { Academy, type Family } from "./academy.ts"
import { announcements } from "./announcements.ts"
import { assignments } from "./assignments.ts"
import { badges } from "./badges.ts"
import { certificates } from "./certificates.ts"
import { classes } from "./classes.ts"
import { courses } from "./courses.ts"
import { customFields } from "./custom-fields.ts"
import { groups } from "./groups.ts"
import { locations } from "./locations.ts"
import { memberships } from "./memberships.ts"
import { people } from "./people.ts"
import { portals } from "./portals.ts"
import { study } from "./study.ts"
import { users } from "./users.ts"
import { webinars } from "./webinars.ts"

export { PASSWORD } from "./academy.ts"
export { ACCOUNTS } from "./users.ts"

const families: Family[] = [
  users,
  customFields,
  certificates,
  courses,
  memberships,
  groups,
  portals,
  locations,
  badges,
  study,
  assignments,
  classes,
  webinars,
  people,
  announcements,
]

/**
 * Loads the academy into the running server. Loaded twice, it is there once.
 * @param mailsWithin how long to wait for its mails to be on their way, in milliseconds
 */
export async function loadSampleData(url: string, mailsWithin: number) {
  const academy = new Academy(url)
  for (const load of families) await load(academy)
  const until = Date.now() + mailsWithin
  while (Date.now() < until && (await academy.mailsWaiting()) > 0) await sleep(250)
}
