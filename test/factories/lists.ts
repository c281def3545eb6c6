import { eq } from "drizzle-orm"
import { carts } from "../../drizzle/schema/carts.ts"
import { enrollments } from "../../drizzle/schema/enrollments.ts"
import { quizAttempts } from "../../drizzle/schema/quizzes.ts"
import { users } from "../../drizzle/schema/users.ts"
import { post } from "../helpers/client.ts"
import { halvedAcademy } from "./filters.ts"
import { audited, db, nextId, PASSWORD, signedIn, user } from "./index.ts"
import { course, enrollment, module } from "./learning.ts"
import { fileOf, SIGNATURES, startUpload } from "./media.ts"
import { card, order, subscription } from "./people.ts"

/** A record that was created through the API. */
async function createRecord(path: string, body: object, token: string): Promise<number> {
  const response = await post(path, body, { token })
  if (response.status !== 200) throw new Error(`${path} ${JSON.stringify(response.body)}`)
  return response.body.id
}

const ICON = { badgeIconUrl: "https://example.com/a.png" }
/** The smallest amount does not have the fewest minor units: yen have no decimals, dinars three. */
const AMOUNTS = [
  { total: 900, currency: "JPY" },
  { total: 4990, currency: "USD" },
  { total: 20_000, currency: "KWD" },
]

/** The halved academy with rows in every list, including rows whose displayed value differs from the stored one. */
export async function listedAcademy() {
  const scene = await halvedAcademy()
  const owner = await signedIn("owner", { firstName: "Olga", lastName: "Owner" })
  const { token } = owner
  const { ada, bob, algebra, membershipId } = scene
  const make = (path: string, ...bodies: object[]) =>
    bodies.reduce<Promise<unknown>>(
      (before, body) => before.then(() => createRecord(path, body, token)),
      Promise.resolve(),
    )

  // Ids order equal stored values, so later ids have earlier names.
  await db.update(users).set({ avatar: "/assets/b.png" }).where(eq(users.id, bob.id))
  await user({ firstName: "Zoe", lastName: "Young", email: "a@example.com", disabled: true })
  await user({ firstName: "Abe", lastName: "Adams", email: "z@example.com", userType: "group_admin" })
  for (const device of ["Tablet", "Phone"]) await post("/login", { email: owner.email, password: PASSWORD, device })

  await make("/api/badge/create", { title: "Sun", ...ICON, badgeIconUrl: "https://aaa.example/a.png", points: 3 })
  await make("/api/badge/create", { title: "Mars", ...ICON, badgeIconUrl: "/icons/star.svg", points: 1 })
  const provider = { issuer: "https://id.example.com", clientId: "lectern" }
  await make("/api/sso-provider/create", { ...provider, name: "B", slug: "a", force: true }, { ...provider, name: "A" })
  const key = { role: "staff", access: "write" }
  await make(
    "/api/api-key/create",
    { ...key, name: "B", expires_at: "2199-01-05" },
    { ...key, name: "A", access: "read" },
  )
  for (const person of [bob, ada]) await card(person.id, { last4: person === ada ? "1111" : "4242" })
  for (const amount of AMOUNTS) {
    await order(ada.id, { ...amount, status: amount.currency === "USD" ? "pending" : "completed" })
    await subscription(ada.id, amount)
    await db.insert(carts).values({ id: await nextId("carts"), userId: ada.id, items: [], createdAt: 1, ...amount })
  }
  const consent = { userId: ada.id, status: "accepted", country: "Peru" }
  await make(
    "/api/user-consent/create",
    { ...consent, consentId: "b" },
    { ...consent, consentId: "a", status: "rejected" },
  )
  const rated = await course()
  await enrollment(ada, rated)
  // A course that the caller teaches, with learners at risk.
  const taught = await course({ name: "Latin", authorId: owner.id })
  for (const [index, person] of [bob, ada].entries()) await enrollment(person, taught, { registeredAt: 1000 + index })
  const review = { userId: ada.id, rating: 4 }
  await make(
    "/api/review/create",
    { ...review, courseId: algebra.id, text: "b" },
    { ...review, courseId: rated.id, rating: 2 },
  )
  await make(
    "/api/user-source/create",
    { name: "Fair", identifier: "z" },
    { name: "Ad", identifier: "a", description: "x" },
  )
  await make("/api/location/create", { name: "Attic", capacity: 3, city: "Bath" }, { name: "Yard", zipcode: "1" })
  await make("/api/portal/create", { name: "A portal", slug: "z", totalSeat: 3, expiryDate: "2199-01-05" })
  await make(
    "/api/assignment-rule/create",
    { name: "B rule", active: false, courseIds: [algebra.id] },
    { name: "A rule", active: false, courseIds: [algebra.id], groupId: scene.team.id },
  )
  const enrolled = await db.select({ id: enrollments.id }).from(enrollments)
  for (const [index, { id }] of enrolled.entries())
    await post("/api/enrollment/due-date", { registrationIds: [id], dueAt: `2199-01-${10 + index}` }, { token })
  const event = { type: "login", points: 2 }
  await make(
    "/api/gamification-event/create",
    { ...event, name: "B" },
    { ...event, name: "A", points: 1, active: false },
  )
  await make("/api/question-pool/create", { name: "B" }, { name: "A" })
  const question = { poolId: 1, type: "numeric", numeric: { value: 6 } }
  await make("/api/question/create", { ...question, text: "B" }, { ...question, text: "A" })
  const schedule = { report: "overdue", interval: "weekly" }
  await make("/api/report-schedule/create", { ...schedule, name: "B", hour: 9 }, { ...schedule, name: "A", hour: 8 })
  for (const [index, name] of ["b.mp4", "a.mp4"].entries())
    await startUpload(token, name, SIGNATURES.mp4.length + index, fileOf("mp4", SIGNATURES.mp4.length + index))
  const hook = { events: ["user.created"] }
  await make("/api/webhook/create", { ...hook, url: "https://b.example/a" }, { ...hook, url: "https://a.example/b" })
  for (const type of ["text", "video", "scorm", "quiz"] as const)
    for (const [index, name] of ["Zebra", "Ant"].entries())
      await module({ type, name, icon: name, isLocked: index === 0 })
  const file = { content: "<p>Draw.</p>", submission_type: "file", allowed_filetypes: ["pdf"] }
  await make(
    "/api/modules/assignment",
    { ...file, name: "A", maxUploadSize: 10 },
    { ...file, name: "Z", maxUploadSize: 3 },
  )

  // An unfinished attempt has a score, which is not displayed yet.
  const [attempt] = await db.select().from(quizAttempts).limit(1)
  if (attempt)
    for (const [index, status] of (["Completed", "In Progress", "Completed"] as const).entries())
      await db.insert(quizAttempts).values({
        ...attempt,
        id: 10 + index,
        number: 2 + index,
        status,
        score: status === "Completed" ? 0 : 2,
        percent: status === "Completed" ? 0 : 100,
        result: status === "Completed" ? "failed" : "",
        completedAt: status === "Completed" ? 5 : 0,
      })
  await audited({ performedBy: null, effectOn: "B" }, { performedBy: 777_777, effectOn: "a" })
  await db.update(users).set({ membershipId }).where(eq(users.id, ada.id))
  return { ...scene, owner }
}
