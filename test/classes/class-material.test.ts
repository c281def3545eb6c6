import { env } from "cloudflare:workers"
import ICAL from "ical.js"
import { afterEach, describe, expect, it, vi } from "vitest"
import { classEnrollments, classMaterials } from "../../drizzle/schema/classes.ts"
import { runScheduled } from "../../src/worker/scheduled.ts"
import { classEnrollment, classOf } from "../factories/classes.ts"
import { db, rowsOf, signedIn } from "../factories/index.ts"
import { course } from "../factories/learning.ts"
import { cost, download, get, post } from "../helpers/client.ts"

afterEach(() => vi.useRealTimers())

const PDF = "%PDF-1.7\n1 0 obj <<>> endobj\ntrailer <<>>\n%%EOF"
const path = (url: string) => new URL(url).pathname

async function setup(overrides: Parameters<typeof classOf>[1] = {}) {
  const [staff, ada, stranger] = [await signedIn("staff"), await signedIn("general"), await signedIn("general")]
  const trainingClass = await classOf(await course({ name: "Algebra", instructions: "<p>Bring a pen.</p>" }), {
    startAt: Date.parse("2027-03-01T09:30Z"),
    instructorId: staff.id,
    ...overrides,
  })
  const form = new FormData()
  form.set("file", new File([PDF], "notes.html"))
  form.set("name", "Notes")
  const media = (await post("/api/class/study-material/upload", form, { token: staff.token })).body
  await post(
    "/api/class/update",
    { id: trainingClass.id, studyMaterial: [{ media_id: media.media_id }] },
    { token: staff.token },
  )
  return { staff, ada, stranger, trainingClass, media, enrolled: await classEnrollment(ada, trainingClass) }
}

const material = (id: number, token: string) => get(`/api/class/study-material?registrationId=${id}`, { token })

describe("study material", () => {
  it("is uploaded with a detected type, added to a class and read by enrolled users", async () => {
    const { ada, stranger, media, enrolled } = await setup()
    expect(media).toMatchObject({ media_id: 1, name: "Notes", type: "pdf", mime_type: "application/pdf" })
    const response = await material(enrolled.id, ada.token)
    expect(response.body).toMatchObject({
      name: "Algebra",
      instructions: "<p>Bring a pen.</p>",
      status: "Registered",
      startDate: "Mar 01, 2027",
      start: "Mar 01, 2027 09:30 AM",
      end: "Mar 01, 2027 10:30 AM",
      classMaterial: [{ id: 1, file_name: "Notes", file_type: "pdf", status: "download", media_stream_id: 1 }],
    })
    expect(cost(response).roundTrips).toBe(2)
    const [row] = await rowsOf(classEnrollments)
    expect(row?.lastAccessedAt).toBeGreaterThan(0)
    const [file] = response.body.classMaterial
    const saved = await download(path(file.storage_url), { token: ada.token })
    expect(new TextDecoder().decode(saved.body)).toBe(PDF)
    expect(saved.headers.get("content-disposition")).toBe('attachment; filename="Notes.pdf"')
    const partial = await download(path(file.media_stream_url), { token: ada.token, headers: { range: "bytes=0-3" } })
    expect([partial.status, new TextDecoder().decode(partial.body)]).toEqual([206, "%PDF"])
    expect(partial.headers.get("content-disposition")).toContain("inline")

    expect((await get(path(file.storage_url), { token: stranger.token })).status).toBe(404)
    expect((await material(enrolled.id, stranger.token)).status).toBe(404)
    await db.update(classEnrollments).set({ status: "Cancelled" })
    expect((await material(enrolled.id, ada.token)).status).toBe(409)
    expect((await get(path(file.storage_url), { token: ada.token })).status).toBe(404)
  })

  it("can only be viewed when the class does not allow downloads", async () => {
    const { ada, staff, enrolled } = await setup({ allowDownload: false })
    const { classMaterial } = (await material(enrolled.id, ada.token)).body
    expect(classMaterial).toMatchObject([{ status: "view", storage_url: null }])
    expect((await get("/api/class/study-material/1/download", { token: ada.token })).status).toBe(403)
    expect((await download("/api/class/study-material/1/view", { token: ada.token })).status).toBe(200)
    expect((await download("/api/class/study-material/1/download", { token: staff.token })).status).toBe(200)
  })

  it("has the name that its class gives it", async () => {
    const { staff, ada, trainingClass, media, enrolled } = await setup()
    const rename = (name?: string) =>
      post("/api/class/update", { id: trainingClass.id, studyMaterial: [{ media_id: media.media_id, name }] }, staff)
    const names = async () =>
      (await material(enrolled.id, ada.token)).body.classMaterial.map((file: { file_name: string }) => file.file_name)
    await rename("Week 1")
    expect(await names()).toEqual(["Week 1"])
    await rename()
    expect(await names()).toEqual(["Week 1"])
    const { studyMaterial } = (await get(`/api/class/edit?classId=${trainingClass.id}`, staff)).body.classDetails
    expect(studyMaterial).toEqual([{ media_id: media.media_id, name: "Week 1", type: "pdf" }])
  })

  it("rejects unsupported content and files of another class", async () => {
    const { staff } = await setup()
    const form = new FormData()
    form.set("file", new File([new Uint8Array([0x4d, 0x5a, 0, 1, 2, 3])], "notes.pdf"))
    expect((await post("/api/class/study-material/upload", form, { token: staff.token })).status).toBe(415)
    const second = await classOf()
    const accepted = await post(
      "/api/class/update",
      { id: second.id, studyMaterial: [{ media_id: 1 }] },
      { token: staff.token },
    )
    expect(accepted.body.errors).toHaveProperty("studyMaterial")
    expect(await rowsOf(classMaterials)).toMatchObject([{ classId: 1 }])
  })

  it("is deleted a week after upload if no class uses it", async () => {
    const { staff, trainingClass } = await setup()
    await post("/api/class/delete", { classId: trainingClass.id }, { token: staff.token })
    await runScheduled(env)
    expect(await rowsOf(classMaterials)).toMatchObject([{ classId: null }])
    const key = (await rowsOf(classMaterials))[0]?.key ?? ""
    vi.setSystemTime(Date.now() + 8 * 86_400_000)
    await runScheduled(env)
    expect(await rowsOf(classMaterials)).toEqual([])
    expect(await env.FILES.head(key)).toBeNull()
  })
})

describe("the calendar of a class", () => {
  const read = async (id: number, token: string) => {
    const { body, headers } = await download(`/api/class/calendar/${id}`, { token })
    expect(headers.get("content-type")).toBe("text/calendar; charset=utf-8")
    const text = new TextDecoder().decode(body)
    expect(text.endsWith("\r\n") && !/[^\r]\n/.test(text)).toBe(true)
    const calendar = new ICAL.Component(ICAL.parse(text))
    // Its own VTIMEZONE tells its times: nothing is known of zones but what the file says.
    ICAL.TimezoneService.reset()
    const zone = calendar.getFirstSubcomponent("vtimezone")
    if (zone) ICAL.TimezoneService.register(zone)
    const [event, more] = calendar.getAllSubcomponents("vevent")
    if (!event || more) throw new Error("Not one event")
    return new ICAL.Event(event)
  }
  const starts = (event: ICAL.Event) => {
    const occurrences = event.iterator()
    const found: string[] = []
    for (let next = occurrences.next(); next; next = occurrences.next()) found.push(next.toJSDate().toISOString())
    return found
  }
  const property = (event: ICAL.Event, name: string) => String(event.component.getFirstPropertyValue(name))

  it("has an event at the class's time for enrolled users", async () => {
    const { ada, stranger, trainingClass } = await setup()
    const event = await read(trainingClass.id, ada.token)
    expect(event.summary).toBe("Algebra")
    expect(event.startDate.toJSDate().toISOString()).toBe("2027-03-01T09:30:00.000Z")
    expect(event.endDate.toJSDate().toISOString()).toBe("2027-03-01T10:30:00.000Z")
    expect(event.uid).toMatch(/^class-1@/)
    expect((await get(`/api/class/calendar/${trainingClass.id}`, { token: stranger.token })).status).toBe(404)
  })

  it("recurs on the same dates as the class", async () => {
    const { staff, trainingClass } = await setup()
    const created = await post(
      "/api/class/create",
      {
        ...{
          courseId: trainingClass.courseId,
          instructor: staff.id,
          allowDownload: true,
          disabled: false,
          type: "recurring",
        },
        recurrence: {
          ...{ classDays: ["TU", "TH"], startDate: "2027-03-01", startTime: "23:00", endTime: "00:30", interval: 2 },
          frequency: "weekly",
          end: { date: "2027-04-15" },
        },
      },
      { token: staff.token },
    )
    const { classes } = (
      await get(`/api/class/get-class-schedules?courseId=${trainingClass.courseId}`, { token: staff.token })
    ).body
    const dates = classes
      .filter((row: { id: number }) => row.id === created.body.id)
      .map((row: { start_time: string }) => row.start_time)
    const event = await read(created.body.id, staff.token)
    expect(starts(event)).toEqual(dates)
    expect(dates.length).toBeGreaterThan(5)
    expect(event.duration.toSeconds()).toBe(5400)
  })

  it("has the class's time zone with its offset changes", async () => {
    const { staff, trainingClass } = await setup()
    for (const [timeZone, changes] of [
      ["Europe/Berlin", 2],
      ["America/New_York", 2],
      ["Australia/Lord_Howe", 2],
      ["Asia/Kolkata", 0],
      ["UTC", 0],
    ] as const) {
      const created = await post(
        "/api/class/create",
        {
          ...{ courseId: trainingClass.courseId, instructor: staff.id, allowDownload: true, disabled: false, timeZone },
          recurrence: {
            ...{ startDate: "2027-03-01", startTime: "10:00", endTime: "11:30", frequency: "daily", interval: 5 },
            end: { date: "2027-11-20" },
          },
        },
        staff,
      )
      const { classes } = (await get(`/api/class/get-class-schedules?courseId=${trainingClass.courseId}`, staff)).body
      const dates = classes.filter((row: { id: number }) => row.id === created.body.id)
      expect(new Set(dates.map((row: { startTime: string }) => row.startTime))).toEqual(new Set(["10:00 AM"]))
      const event = await read(created.body.id, staff.token)
      expect(event.startDate.toString()).toContain("T10:00:00")
      expect(starts(event), timeZone).toEqual(dates.map((row: { start_time: string }) => row.start_time))
      const zone = event.component.parent?.getFirstSubcomponent("vtimezone")
      expect(zone?.getFirstPropertyValue("tzid") ?? "UTC").toBe(timeZone)
      expect(zone?.getAllSubcomponents().length ?? 1).toBe(1 + changes)
    }
  })

  it("updates an existing calendar event, and has the URL of the webinar", async () => {
    const { staff, ada, trainingClass, enrolled } = await setup({ webinarProvider: "Meet" })
    const before = await read(trainingClass.id, ada.token)
    expect(property(before, "url")).toBe(`https://lectern.test/api/class/webinar/launch?registrationId=${enrolled.id}`)
    expect(property(await read(trainingClass.id, staff.token), "url")).toContain(`registrationId=${enrolled.id}`)
    vi.setSystemTime(Date.now() + 60_000)
    await post("/api/class/update", { id: trainingClass.id, disabled: true }, staff)
    const after = await read(trainingClass.id, ada.token)
    expect(after.uid).toBe(before.uid)
    expect(after.sequence).toBe(before.sequence + 1)
    expect(property(after, "dtstamp") > property(before, "dtstamp")).toBe(true)
    expect(property(after, "dtstamp")).toMatch(/Z$/)
    expect(after.component.getFirstProperty("url")).toBeNull()
  })
})
