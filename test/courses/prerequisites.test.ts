import { eq } from "drizzle-orm"
import { afterEach, describe, expect, it, vi } from "vitest"
import { enrollmentCycles, enrollments } from "../../drizzle/schema/enrollments.ts"
import { db, group, signedIn, tokenOf } from "../factories/index.ts"
import { course, enrollment, module } from "../factories/learning.ts"
import { cost, get, post, put, query } from "../helpers/client.ts"

const NOW = Date.UTC(2026, 5, 1, 12)
const day = (of: number) => new Date(Date.UTC(2026, 5, of)).toISOString()
afterEach(() => void vi.useRealTimers())

const open = (registrationId: number, moduleId: number, { token }: { token: string }) =>
  post("/api/module/progress", { registrationId, moduleId, timeSpent: 1 }, { token })

describe("the prerequisites of a course", () => {
  it("are stored in their order, returned, and taken back without a change", async () => {
    const staff = await signedIn("staff")
    const [one, two] = [await course(), await course()]
    const created = await post("/api/course/create", { name: "Advanced", prerequisites: [two.id, one.id] }, staff)
    const path = `/api/course/${created.body.id}`
    const found = await get(path, staff)
    expect(found.body.prerequisites).toEqual([two.id, one.id])
    const same = await put(path, found.body, staff)
    expect(same.status).toBe(200)
    expect(cost(same).written).toBe(0)
    await put(path, { prerequisites: [one.id] }, staff)
    expect((await get(path, staff)).body.prerequisites).toEqual([one.id])
    await put(path, { prerequisites: [] }, staff)
    expect((await get(path, staff)).body.prerequisites).toEqual([])
  })

  it("must exist, and must not lead back to the course", async () => {
    const staff = await signedIn("staff")
    const [one, two, three] = [await course(), await course(), await course()]
    const set = (of: { id: number }, prerequisites: number[]) => put(`/api/course/${of.id}`, { prerequisites }, staff)
    expect((await set(one, [999])).status).toBe(422)
    expect((await set(one, [one.id])).status).toBe(422)
    expect((await set(two, [one.id])).status).toBe(200)
    expect((await set(three, [two.id])).status).toBe(200)
    const cyclic = await set(one, [three.id])
    expect(cyclic.status).toBe(422)
    expect(cyclic.body.errors).toEqual({
      prerequisites: ["prerequisites must not require this course, directly or through other courses."],
    })
    expect((await get(`/api/course/${one.id}`, staff)).body.prerequisites).toEqual([])
  })

  it("keep the modules locked until all of them are completed, and the error names them", async () => {
    const ada = await signedIn("general")
    const staff = await signedIn("staff")
    const [fire, aid] = [await course({ name: "Fire safety" }), await course({ name: "First aid" })]
    const { id: moduleId } = await module()
    const advanced = await course({ name: "Advanced" }, [{ moduleId }])
    await put(`/api/course/${advanced.id}`, { prerequisites: [fire.id, aid.id] }, staff)
    const { id } = await enrollment(ada, advanced)
    const refused = await open(id, moduleId, ada)
    expect(refused.status).toBe(409)
    expect(refused.body).toMatchObject({
      code: "locked",
      message: "Complete these courses first: Fire safety, First aid.",
    })
    const rows = await get(`/api/course/modules${query({ registrationId: id })}`, ada)
    expect(rows.body).toMatchObject([
      { is_locked: true, lock_reason: "Complete these courses first: Fire safety, First aid." },
    ])
    const inFire = await enrollment(ada, fire, { status: "Completed", completedAt: Date.now() })
    expect((await open(id, moduleId, ada)).body.message).toBe("Complete these courses first: First aid.")
    // A completion of an earlier cycle counts.
    const past = {
      percent: 100,
      pointsAwarded: 0,
      pointsPossible: 0,
      startedAt: 1,
      completedAt: 2,
      dueAt: 0,
      overdueAt: 0,
    }
    await db.insert(enrollmentCycles).values({
      ...{ ...past, userId: ada.id, courseId: aid.id, cycle: 1, courseName: "First aid", beganAt: 1, endedAt: 3 },
      ...{ status: "Completed", dueStatus: "no_due_date" },
    })
    expect((await open(id, moduleId, ada)).status).toBe(200)
    // A module that was opened stays open.
    await db.update(enrollments).set({ status: "Not Started" }).where(eq(enrollments.id, inFire.id))
    expect((await open(id, moduleId, ada)).status).toBe(200)
  })

  it("are shown in the library", async () => {
    const ada = await signedIn("general")
    const staff = await signedIn("staff")
    const fire = await course({ name: "Fire safety" })
    const advanced = await course({ name: "Advanced" })
    await put(`/api/course/${advanced.id}`, { prerequisites: [fire.id] }, staff)
    const { body } = await get(
      `/api/users/library-courses${query({ page_size: 10, page_number: 1, order_by: "courseName" })}`,
      ada,
    )
    expect(body.records).toMatchObject([
      { courseName: "Advanced", prerequisites: [{ id: fire.id, name: "Fire safety" }] },
      { courseName: "Fire safety", prerequisites: [] },
    ])
  })
})

describe("the opening date of a module", () => {
  it("is set in the course and returned", async () => {
    const staff = await signedIn("staff")
    const { id: module_id } = await module()
    const created = await post(
      "/api/course/create",
      { name: "Dated", modules: [{ module_id, opensAt: day(20) }] },
      staff,
    )
    const path = `/api/course/${created.body.id}`
    const found = await get(path, staff)
    expect(found.body.modules).toMatchObject([{ module_id, opensAt: day(20) }])
    expect(cost(await put(path, found.body, staff)).written).toBe(0)
    await put(path, { modules: [{ module_id, opensAt: null }] }, staff)
    expect((await get(path, staff)).body.modules).toMatchObject([{ opensAt: null }])
  })

  it("locks the module until the later of the date and the days after the enrollment", async () => {
    vi.useFakeTimers({ toFake: ["Date"], now: NOW })
    const ada = await signedIn("general")
    const { id: moduleId } = await module()
    const dated = await course({}, [{ moduleId, opensAt: Date.UTC(2026, 5, 3), dripDays: 1 }])
    const { id } = await enrollment(ada, dated, { registeredAt: NOW })
    const early = await open(id, moduleId, ada)
    expect(early.body).toMatchObject({ code: "too_early", message: "Available on Jun 03, 2026." })
    vi.setSystemTime(Date.UTC(2026, 5, 3))
    expect((await open(id, moduleId, { token: await tokenOf(ada) })).status).toBe(200)
  })

  it("is replaced for one learner by staff and their supervisors", async () => {
    vi.useFakeTimers({ toFake: ["Date"], now: NOW })
    const [ada, bob] = [await signedIn("general"), await signedIn("general")]
    const boss = await signedIn("group_admin")
    const [first, second] = [await module({ name: "One" }), await module({ name: "Two" })]
    const dated = await course({}, [{ moduleId: first.id, opensAt: Date.UTC(2026, 5, 9) }, { moduleId: second.id }])
    const { id } = await enrollment(ada, dated, { registeredAt: NOW })
    const other = await enrollment(bob, dated, { registeredAt: NOW })
    const path = `/api/enrollment/module-access/${id}`
    expect((await get(path, boss)).status).toBe(404)
    await group({ admins: [boss.id], members: [ada.id] })
    const before = await get(path, boss)
    expect(cost(before).roundTrips).toBe(1)
    expect(before.body).toEqual({
      registrationId: id,
      modules: [
        { module_id: first.id, name: "One", opensAt: null, courseOpensAt: day(9) },
        { module_id: second.id, name: "Two", opensAt: null, courseOpensAt: "2026-06-01T12:00:00.000Z" },
      ],
    })
    expect(cost(await put(path, before.body, boss)).written).toBe(0)
    const changed = await put(
      path,
      {
        modules: [
          { module_id: first.id, opensAt: day(1) },
          { module_id: second.id, opensAt: day(5) },
        ],
      },
      boss,
    )
    expect(changed.status).toBe(200)
    expect((await get(path, boss)).body.modules).toMatchObject([{ opensAt: day(1) }, { opensAt: day(5) }])
    expect((await open(id, first.id, ada)).status).toBe(200)
    expect((await open(id, second.id, ada)).body.message).toBe("Available on Jun 05, 2026.")
    expect((await open(other.id, first.id, bob)).body.code).toBe("too_early")
    await put(path, { modules: [{ module_id: second.id, opensAt: null }] }, boss)
    expect((await open(id, second.id, ada)).status).toBe(200)
    expect((await put(path, { modules: [{ module_id: 999, opensAt: day(1) }] }, boss)).status).toBe(422)
    expect((await put(`/api/enrollment/module-access/${other.id}`, before.body, boss)).status).toBe(404)
  })
})
