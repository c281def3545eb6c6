import { userCategories } from "../../drizzle/schema/categories.ts"
import { courseCategories } from "../../drizzle/schema/courses.ts"
import { customFields, customFieldValues } from "../../drizzle/schema/custom-fields.ts"
import { externalIds } from "../../drizzle/schema/external-ids.ts"
import { membershipCourses } from "../../drizzle/schema/membership-courses.ts"
import { memberships } from "../../drizzle/schema/memberships.ts"
import { quizAttempts } from "../../drizzle/schema/quizzes.ts"
import { submissions } from "../../drizzle/schema/submissions.ts"
import { searchText } from "../../src/db/search.ts"
import { post } from "../helpers/client.ts"
import { category } from "./categories.ts"
import { certificate, template } from "./certificates.ts"
import { classEnrollment, classOf } from "./classes.ts"
import { audited, db, group, portal, signedIn, user } from "./index.ts"
import { course, enrollment, module } from "./learning.ts"
import { learningPath, pathEnrollment } from "./learning-paths.ts"
import { order, subscription } from "./people.ts"

/** No record has this id. */
export const NOWHERE = 987_654
/** No record has this name. */
export const NOTHING = "zz-nothing-is-called-so"
const JANUARY = Date.UTC(2026, 0, 15)
export const MARCH = Date.UTC(2026, 2, 15)

const named = (name: string) => ({ name, searchText: searchText(name) })

/** Two records of every kind: Ada's in Algebra in January, and Bob's in Botany in March. */
export async function halvedAcademy() {
  const [mine, empty] = [await category({ name: "Numbers" }), await category({ name: "Nothing in it" })]
  const [people, nobody] = [
    await category({ type: "user", name: "Early birds" }),
    await category({ type: "user", name: "Empty" }),
  ]
  const [membershipId, unused] = [1, 2]
  await db
    .insert(memberships)
    .values(
      [membershipId, unused].map((id) => ({ id, ...named(`Membership ${id}`), expiresAfterDays: 0, createdAt: 1 })),
    )
  const staff = await signedIn("staff", { firstName: "Sam", lastName: "Staff", createdAt: MARCH })
  const ada = await signedIn("general", { firstName: "Ada", lastName: "Byron", createdAt: JANUARY, membershipId })
  await db.insert(externalIds).values({ object: "user", source: "manual", externalId: "E-7", objectId: ada.id })
  await db.insert(customFields).values({
    ...{ id: 1, type: "text", label: "Number", userMetaKey: "number", isRequired: false, options: [] },
    ...{ onRegistrationPage: false, onCertificate: false, reports: [], displayOrder: 1, isSearchable: true },
  })
  await db.insert(customFieldValues).values({ userId: ada.id, fieldId: 1, value: "7", searchable: true })
  const bob = await user({ firstName: "Bob", lastName: "Stone", createdAt: MARCH })
  await audited(
    { subject: "thing", action: "created", performedBy: ada.id, createdAt: JANUARY },
    { subject: "other", action: "login", performedBy: bob.id, createdAt: MARCH },
  )
  await db.insert(userCategories).values({ userId: ada.id, categoryId: people.id })
  const [quiz, essay, other] = [
    await module({ type: "quiz", ...named("Quiz") }),
    await module({ type: "assignment", ...named("Essay"), submissionType: "text" }),
    await module({ type: "assignment", ...named("Drawing"), submissionType: "file" }),
  ]
  const links = [{ moduleId: quiz.id }, { moduleId: essay.id }]
  const algebra = await course({ ...named("Algebra") }, links)
  const botany = await course({ ...named("Botany") }, [...links, { moduleId: other.id }])
  await course({ ...named("Draft"), status: "draft" })
  await db.insert(courseCategories).values({ courseId: algebra.id, categoryId: mine.id })
  for (const { id: courseId } of [algebra, botany])
    await db.insert(membershipCourses).values({ membershipId, courseId })
  const registrations = [
    await enrollment(ada, algebra, { status: "Completed", percent: 100, registeredAt: JANUARY, completedAt: MARCH }),
    await enrollment(bob, algebra, { status: "In Progress", registeredAt: MARCH, startedAt: MARCH }),
    await enrollment(bob, botany, { status: "In Progress", registeredAt: MARCH, startedAt: MARCH }),
    await enrollment(ada, botany, { status: "In Progress", registeredAt: MARCH, startedAt: MARCH }),
  ]
  for (const [index, registration] of registrations.slice(0, 2).entries()) {
    const owner = { enrollmentId: registration.id, userId: registration.userId, courseId: registration.courseId }
    const attempt = { number: 1, statusRowId: index + 1, ...owner }
    await db.insert(quizAttempts).values({
      ...attempt,
      id: index + 1,
      moduleId: quiz.id,
      status: index === 0 ? "Completed" : "In Progress",
      result: index === 0 ? "passed" : "",
      score: 1,
      outOf: 2,
      percent: 50,
      passPercent: 50,
      moduleVersion: 1,
      startedAt: JANUARY,
      completedAt: index === 0 ? JANUARY : 0,
      timeTaken: 1,
      responses: [],
    })
    await db.insert(submissions).values({
      ...attempt,
      id: index + 1,
      moduleId: essay.id,
      status: index === 0 ? "Submitted" : "Accepted",
      submittedAt: JANUARY,
    })
  }
  const [hall, lab] = [
    (await post("/api/location/create", { name: "Main hall" }, staff)).body.id,
    (await post("/api/location/create", { name: "Lab" }, staff)).body.id,
  ]
  const teacher = await user({ userType: "staff", firstName: "Tess", lastName: "Teacher", createdAt: MARCH })
  const first = await classOf(algebra, { startAt: JANUARY, locationId: hall, instructorId: teacher.id })
  const second = await classOf(algebra, { startAt: MARCH, locationId: lab, instructorId: staff.id })
  const third = await classOf(botany, { startAt: MARCH, locationId: lab, instructorId: staff.id })
  await classEnrollment(ada, first, { status: "Attended" })
  await classEnrollment(bob, first, { status: "No Show" })
  await classEnrollment(ada, third, { status: "Registered" })
  await classEnrollment(bob, second, { status: "Registered" })
  const [whole, part] = [
    await learningPath({ ...named("Whole path") }, [algebra, botany]),
    await learningPath({ ...named("Part of it") }, [algebra]),
  ]
  await pathEnrollment(ada, whole, { status: "Completed", percent: 100 })
  await pathEnrollment(ada, part, { status: "In Progress", percent: 10 })
  const designs = [await template({ ...named("Laurels") }), await template({ ...named("Plain") })]
  for (const [index, inside] of [algebra, botany].entries())
    await certificate(ada.id, designs[0]?.id ?? 0, {
      courseId: inside.id,
      courseName: inside.name,
      searchText: searchText(inside.name),
      expiresAt: index * 1000,
    })
  await course({ ...named("Certified"), certificateTemplateId: designs[1]?.id ?? 0 })
  for (const person of [ada, bob]) await order(person.id)
  await subscription(ada.id)
  await subscription(ada.id, { status: "Cancelled" })
  const here = await portal({ members: [ada.id] })
  const away = await portal()
  const team = await group({ members: [ada.id] })
  const alone = await group()
  for (const title of ["Star", "Moon"])
    await post("/api/badge/create", { title, badgeIconUrl: "https://example.com/a.png" }, staff)
  for (const type of ["module", "product", "question"] as const)
    for (const name of ["Numbers", "Letters"]) await category({ type, name })
  for (const [heading, portal_ids] of [
    ["Welcome", [here.id]],
    ["Farewell", []],
  ])
    await post("/api/announcement", { heading, content: "x", sending_rules: "all", portal_ids }, staff)
  await post("/api/course/enroll", { course_ids: [botany.id], user_ids: [staff.id] }, staff)
  return {
    ...{ mine, empty, people, nobody, membershipId, unused, staff, ada, bob, algebra, botany, first },
    ...{ here, away, team, alone, designs },
  }
}

export type HalvedAcademy = Awaited<ReturnType<typeof halvedAcademy>>
