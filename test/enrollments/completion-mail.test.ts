import { eq } from "drizzle-orm"
import { describe, expect, it, vi } from "vitest"
import { certificates } from "../../drizzle/schema/certificates.ts"
import { outbox } from "../../drizzle/schema/outbox.ts"
import { users } from "../../drizzle/schema/users.ts"
import { template } from "../factories/certificates.ts"
import { db, rowsOf, signedIn } from "../factories/index.ts"
import { course, enrollment, module } from "../factories/learning.ts"
import { PACKAGE_12, uploadPackage } from "../factories/scorm.ts"
import { cost, post, put } from "../helpers/client.ts"
import { delivered } from "../helpers/mailbox.ts"
import { messages } from "../helpers/queues.ts"

/** Enrolls a learner in a course with one module. */
async function enrolled({ moduleId, ...given }: { moduleId?: number; certificateTemplateId?: number } = {}) {
  const staff = await signedIn("staff")
  const learner = await signedIn("general", { firstName: "Ada", lastName: "Byron", email: "ada@example.com" })
  const ownModuleId = moduleId ?? (await module()).id
  const inCourse = await course({ name: 'Knots "and" bends', ...given }, [{ moduleId: ownModuleId }])
  const { id: registrationId } = await enrollment(learner, inCourse)
  const place = { registrationId, moduleId: ownModuleId }
  const as = { token: learner.token }
  return {
    staff,
    learner,
    place,
    as,
    complete: () => post("/api/module/progress", { ...place, status: "Completed" }, as),
    reset: () => post("/api/course/reset", { registration_ids: [registrationId] }, staff),
  }
}

const certified = async () => enrolled({ certificateTemplateId: (await template()).id })

describe("the course completion mail", () => {
  it("contains the course and the date, and links to the certificate's public page", async () => {
    const { learner, complete } = await certified()
    const response = await complete()
    expect(response.status).toBe(200)
    expect(cost(response).roundTrips).toBe(2)
    const [issued] = await rowsOf(certificates)
    const [mail, ...more] = await delivered()
    expect(more).toEqual([])
    const today = new Intl.DateTimeFormat("en", { dateStyle: "long", timeZone: "UTC" }).format(issued?.issuedAt ?? 0)
    const url = `https://lectern.test/certificate/${issued?.code}`
    expect(mail).toMatchObject({ to: learner.email, subject: 'You completed Knots "and" bends' })
    expect(mail?.text).toContain(`Hello Ada,\n\nYou completed Knots "and" bends on ${today}.`)
    expect(mail?.text).toContain(`View certificate: ${url}\n`)
    expect(mail?.html).toContain(`<a href="${url}">View certificate</a>`)
  })

  it("links to the learner's courses if the course issues no certificate", async () => {
    const { complete } = await enrolled()
    await complete()
    const [mail, ...more] = await delivered()
    expect(more).toEqual([])
    expect(mail?.text).toContain("View my courses:\nhttps://lectern.test/console/learning\n")
    expect(mail?.text).not.toContain("certificate")
  })

  it("is sent once per completion, even if the module is completed again", async () => {
    const { complete, reset } = await certified()
    await Promise.all([complete(), complete(), complete()])
    await complete()
    expect(await delivered()).toHaveLength(1)
    await reset()
    await complete()
    const [again, ...more] = await delivered()
    expect(more).toEqual([])
    const [, second] = await rowsOf(certificates)
    expect(again?.text).toContain(`/certificate/${second?.code}`)
  })

  it("is sent once if two requests complete the course in the same millisecond", async () => {
    const { complete } = await enrolled()
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() })
    try {
      await Promise.all([complete(), complete()])
    } finally {
      vi.useRealTimers()
    }
    expect(await rowsOf(outbox)).toHaveLength(1)
  })

  it("is dispatched after its batch is committed, and only if the course is completed", async () => {
    const { complete, learner, as } = await enrolled()
    await complete()
    await vi.waitUntil(() => messages.MAIL.length > 0)
    expect(messages.MAIL).toEqual([{ mails: 1 }])
    const { id: registrationId } = await enrollment(learner, await course({}, [{}, {}]))
    await post("/api/module/progress", { registrationId, moduleId: 2, status: "Completed" }, as)
    await scheduler.wait(20)
    expect(messages.MAIL).toEqual([{ mails: 1 }])
  })

  it("is not sent when one of two modules is completed", async () => {
    const { learner, as } = await enrolled()
    const two = await course({}, [{}, {}])
    const { id: registrationId } = await enrollment(learner, two)
    await post("/api/module/progress", { registrationId, moduleId: 2, status: "Completed" }, as)
    expect(await rowsOf(outbox)).toEqual([])
    await post("/api/module/progress", { registrationId, moduleId: 3, status: "Completed" }, as)
    expect(await rowsOf(outbox)).toHaveLength(1)
  })

  it("is sent to the learner when staff complete the last module", async () => {
    const { staff, learner, place } = await enrolled()
    await post("/api/module/progress", { ...place, status: "Completed" }, staff)
    expect((await delivered()).map(({ to }) => to)).toEqual([learner.email])
  })

  it("is not sent to a disabled learner", async () => {
    const { staff, learner, place } = await enrolled()
    await db.update(users).set({ disabled: true }).where(eq(users.id, learner.id))
    expect((await post("/api/module/progress", { ...place, status: "Completed" }, staff)).status).toBe(200)
    expect(await rowsOf(outbox)).toEqual([])
  })
})

describe("an imported completion", () => {
  const then = "2024-05-06"

  it("sends no mail if progress has completed_on", async () => {
    const { staff, place } = await certified()
    const body = { ...place, status: "Completed", completed_on: then }
    expect((await post("/api/module/progress", body, staff)).status).toBe(200)
    expect(await rowsOf(certificates)).toHaveLength(1)
    expect(await rowsOf(outbox)).toEqual([])
  })

  it("sends no mail if it is imported as an enrollment record", async () => {
    const { staff, learner, place } = await certified()
    const records = [{ ...place, completed_on: then }]
    expect((await post("/api/module/record", { records }, staff)).body).toMatchObject({ recorded: 1 })
    const other = await course({ certificateTemplateId: 1 }, [{}])
    const registrations = [{ user_id: learner.id, course_id: other.id, completed_on: then }]
    expect((await post("/api/course/record", { registrations }, staff)).body).toMatchObject({ enrolled: 1 })
    expect(await rowsOf(certificates)).toHaveLength(2)
    expect(await rowsOf(outbox)).toEqual([])
  })

  it("sends no mail if staff change the course's modules so that it is complete", async () => {
    const { staff, learner, as } = await enrolled()
    const two = await course({}, [{}, {}])
    const { id: registrationId } = await enrollment(learner, two)
    await post("/api/module/progress", { registrationId, moduleId: 2, status: "Completed" }, as)
    const modules = [{ module_id: 2, required: true }]
    expect((await put(`/api/course/${two.id}`, { modules }, staff)).status).toBe(200)
    expect(await rowsOf(outbox)).toEqual([])
  })
})

describe("the last module of a course", () => {
  it("sends the mail for a passed quiz, but not for an imported attempt", async () => {
    const question = {
      text: "2 + 2?",
      type: "single",
      points: 1,
      options: [{ text: "4", correct: true }, { text: "5" }],
    }
    const quiz = { name: "Sums", content: "x", passPercent: 60, questions: [question] }
    const { body } = await post("/api/modules/quiz", quiz)
    const { staff, place, as, reset } = await enrolled({ moduleId: body.id })
    const imported = { started_on: "2024-05-06 10:00:00", submitted_on: "2024-05-06 10:05:00" }
    const answers = [{ questionId: 1, optionIds: [1] }]
    const { started_on, submitted_on } = imported
    await post("/api/quiz/attempt", { ...place, started_on }, staff)
    expect((await post("/api/quiz/submit", { attemptId: 1, answers, submitted_on }, staff)).status).toBe(200)
    expect(await rowsOf(outbox)).toEqual([])
    await reset()
    await post("/api/quiz/attempt", place, as)
    expect((await post("/api/quiz/submit", { attemptId: 2, answers }, as)).status).toBe(200)
    expect(await delivered()).toHaveLength(1)
  })

  it("sends the mail for an accepted assignment", async () => {
    const { id: moduleId } = await module({ type: "assignment", totalPoints: 20, submissionType: "text" })
    const { staff, place, as } = await enrolled({ moduleId })
    const evaluate = (isAccepted: boolean) =>
      post("/api/module/assignment/evaluate", { ...place, evaluation: { isAccepted } }, staff)
    const submit = () => post("/api/module/assignment/submit", { ...place, submission: "<p>Work</p>" }, as)
    await submit()
    const subjects = async () => (await delivered()).map(({ subject }) => subject).sort()
    expect((await evaluate(false)).status).toBe(200)
    expect(await subjects()).toEqual(["Module 1 needs changes"])
    await submit()
    expect((await evaluate(true)).status).toBe(200)
    expect(await subjects()).toEqual(["Module 1 was graded", 'You completed Knots "and" bends'])
  })

  it("sends the mail once for a SCORM package that commits repeatedly", async () => {
    const { body } = await uploadPackage(PACKAGE_12)
    const { place, as } = await enrolled({ moduleId: body.id })
    const commit = (lesson_status: string) =>
      post("/api/scorm/commit", { ...place, cmi: { core: { lesson_status } } }, as)
    expect((await commit("incomplete")).status).toBe(200)
    expect(await rowsOf(outbox)).toEqual([])
    for (const _ of [1, 2]) expect((await commit("completed")).body.status).toBe("Completed")
    expect(await delivered()).toHaveLength(1)
  })
})
