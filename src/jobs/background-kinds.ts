import { onDemand } from "../lib/on-demand.ts"
import type { BackgroundKind } from "../lib/sql/background-work.ts"

const announcements = onDemand(() => import("../modules/telling/announcements.background.ts"))
const recount = onDemand(() => import("../modules/catalogue/recount.background.ts"))

/** Every kind of background job, by the name it is stored under. */
const KINDS: Record<string, () => Promise<BackgroundKind<never>>> = {
  "announcement.mail": async () => (await announcements()).announcementMail,
  "announcement.withdraw": async () => (await announcements()).announcementWithdrawal,
  "course.recount": async () => (await recount()).courseRecount,
  "module.points": async () => (await recount()).modulePoints,
}

/** @throws for a kind that this version does not know: the job waits for a version that does */
export async function backgroundKind(name: string): Promise<BackgroundKind<Record<string, unknown>>> {
  const load = KINDS[name]
  if (!load) throw new Error(`No background job is called ${name}.`)
  return (await load()) as unknown as BackgroundKind<Record<string, unknown>>
}
