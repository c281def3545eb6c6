// The sample academy, for npm start with an empty database. Each loader adds the records of a module.
import { setTimeout as sleep } from "node:timers/promises"
import { Academy, type Loader } from "./academy.ts"
import { announcements } from "./announcements.ts"
import { assignments } from "./assignments.ts"
import { badges } from "./badges.ts"
import { certificates } from "./certificates.ts"
import { classes } from "./classes.ts"
import { courses } from "./courses.ts"
import { customFields } from "./custom-fields.ts"
import { dueTraining } from "./due-training.ts"
import { groups } from "./groups.ts"
import { locations } from "./locations.ts"
import { memberships } from "./memberships.ts"
import { packages } from "./packages.ts"
import { people } from "./people.ts"
import { portals } from "./portals.ts"
import { study } from "./study.ts"
import { users } from "./users.ts"
import { webinars } from "./webinars.ts"

export { ACCOUNTS } from "./users.ts"

const loaders: Loader[] = [
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
  packages,
  assignments,
  classes,
  webinars,
  people,
  dueTraining,
  announcements,
]

/**
 * Loads the academy into the running server. Loaded twice, it is there once.
 * @returns when its mails are on their way
 */
export async function loadSampleData(url: string): Promise<{ mailed: Promise<void> }> {
  const academy = new Academy(url)
  for (const load of loaders) await load(academy)
  const mailed = async () => {
    while ((await academy.mailsWaiting()) > 0) await sleep(1000)
  }
  return { mailed: mailed() }
}
