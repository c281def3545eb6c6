import type { JobKind } from "../db/background-work.ts"
import { onDemand } from "../lib/on-demand.ts"

const assignmentRules = onDemand(() => import("../modules/assignment-rules/evaluation.background.ts"))
const assignmentQueue = onDemand(() => import("../modules/assignment-rules/queue.background.ts"))
const categories = onDemand(() => import("../modules/courses/categories.background.ts"))
const classes = onDemand(() => import("../modules/classes/classes.background.ts"))
const classNotices = onDemand(() => import("../modules/classes/class-notices.ts"))
const courses = onDemand(() => import("../modules/courses/courses.background.ts"))
const customFields = onDemand(() => import("../modules/users/custom-fields.background.ts"))
const deletedSupervisors = onDemand(() => import("../modules/users/deleted-supervisors.background.ts"))
const learningPaths = onDemand(() => import("../modules/enrollments/learning-paths.background.ts"))
const memberships = onDemand(() => import("../modules/billing/memberships.background.ts"))
const questionPools = onDemand(() => import("../modules/courses/question-pools.background.ts"))
const reach = onDemand(() => import("../modules/organizations/supervisor-scope.background.ts"))
const announcements = onDemand(() => import("../modules/announcements/announcements.background.ts"))
const recount = onDemand(() => import("../modules/courses/recount.background.ts"))
const ssoProviders = onDemand(() => import("../modules/auth/sso-providers.background.ts"))

/** Every kind of background job, by its stored name. */
const KINDS: Record<string, () => Promise<JobKind<never>>> = {
  "assignment-rules.delete": async () => (await assignmentRules()).ruleDeletion,
  "assignment-rules.evaluate": async () => (await assignmentRules()).ruleEvaluation,
  "assignment-rules.queue": async () => (await assignmentQueue()).queueEvaluation,
  "categories.links": async () => (await categories()).categoryLinks,
  "classes.changed": async () => (await classNotices()).classChangeNotices,
  "classes.delete": async () => (await classes()).classDeletion,
  "courses.delete": async () => (await courses()).courseDeletion,
  "custom-fields.values": async () => (await customFields()).fieldSetChange,
  "groups.delete": async () => (await reach()).groupDeletion,
  "groups.people": async () => (await reach()).groupPeopleChange,
  "learning-path.recount": async () => (await learningPaths()).pathRecount,
  "memberships.delete": async () => (await memberships()).membershipDeletion,
  "portals.delete": async () => (await reach()).portalDeletion,
  "portals.people": async () => (await reach()).portalPeopleChange,
  "question-pools.delete": async () => (await questionPools()).questionPoolDeletion,
  "sso-providers.delete": async () => (await ssoProviders()).providerDeletion,
  "sso-providers.unlink": async () => (await ssoProviders()).providerUnlinking,
  "users.scope-of-deleted": async () => (await deletedSupervisors()).deletedSupervisors,
  "announcement.delete": async () => (await announcements()).announcementDeletion,
  "announcement.links": async () => (await announcements()).announcementLinks,
  "announcement.mail": async () => (await announcements()).announcementMail,
  "announcement.withdraw": async () => (await announcements()).announcementWithdrawal,
  "course.recount": async () => (await recount()).courseRecount,
  "module.points": async () => (await recount()).modulePointsRecount,
}

/** @throws for an unknown kind: the job waits for a version that knows it */
export async function backgroundKind(name: string): Promise<JobKind<Record<string, unknown>>> {
  const load = KINDS[name]
  if (!load) throw new Error(`Unknown background job kind: ${name}.`)
  return (await load()) as unknown as JobKind<Record<string, unknown>>
}
