import { env } from "cloudflare:workers"
import { eq } from "drizzle-orm"
import { afterEach, describe, expect, it, vi } from "vitest"
import { auditLogs } from "../../drizzle/schema/audit.ts"
import { courses } from "../../drizzle/schema/courses.ts"
import { media, mediaUses } from "../../drizzle/schema/media.ts"
import { modules } from "../../drizzle/schema/modules.ts"
import { runScheduled } from "../../src/worker/scheduled.ts"
import { db, rowsOf, signedIn } from "../factories/index.ts"
import { course, enrollment, module, moduleStatus } from "../factories/learning.ts"
import { fileOf, mediaFile } from "../factories/media.ts"
import { call, cost, download, get, post, put, query } from "../helpers/client.ts"

afterEach(() => vi.useRealTimers())

const VTT = "WEBVTT\n\n00:00.000 --> 00:02.000\nGood morning.\n\n00:02.500 --> 00:04.000\nThis is a bowline.\n"
const PAGE = { page_size: 20, page_number: 1 }
const image = (id: number) => `<p>A knot:</p><img src="/api/media/${id}/file" alt="A bowline">`

describe("the media library", () => {
  it("lists files by kind and by name", async () => {
    const { token } = await signedIn("staff", { firstName: "Mei", lastName: "Tanaka" })
    for (const kind of ["png", "pdf", "mp4"] as const) await mediaFile(token, kind, `Bowline.${kind}`)
    const all = await get(`/api/media${query(PAGE)}`, { token })
    expect(all.body).toMatchObject({ recordsTotal: 3, recordsFiltered: 3 })
    expect(all.body.records.map(({ kind }: { kind: string }) => kind)).toEqual(["video", "pdf", "image"])
    expect(all.body.records[0]).toMatchObject({ name: "Bowline.mp4", uploadedBy: "Mei Tanaka", used: false })
    expect(cost(all).roundTrips).toBe(1)
    const videos = await get(`/api/media${query({ ...PAGE, search_param: { kind: "video" } })}`, { token })
    expect(videos.body).toMatchObject({ recordsTotal: 3, recordsFiltered: 1, records: [{ id: 3 }] })
    const named = await get(`/api/media${query({ ...PAGE, search_param: { name: "line.pd" } })}`, { token })
    expect(named.body.records).toMatchObject([{ id: 2, name: "Bowline.pdf" }])
  })

  it("changes the name, the alternative text and the transcript", async () => {
    const { token } = await signedIn("staff")
    const id = await mediaFile(token, "mp4")
    const { headers } = await get(`/api/media/${id}`, { token })
    const changes = { name: "Bowline", altText: "A bowline", transcript: "Good morning." }
    const etag = headers.get("etag") ?? ""
    expect(await put(`/api/media/${id}`, changes, { token, headers: { "if-match": etag } })).toMatchObject({
      status: 200,
    })
    expect((await get(`/api/media/${id}`, { token })).body).toMatchObject(changes)
    expect((await put(`/api/media/${id}`, { name: "x" }, { token, headers: { "if-match": etag } })).status).toBe(412)
    expect((await put("/api/media/99", { name: "x" }, { token })).status).toBe(404)
    const found = await get(`/api/media${query({ ...PAGE, search_param: { name: "a bowl" } })}`, { token })
    expect(found.body.recordsFiltered).toBe(1)
  })

  it("serves a file with ranges, its type and its name", async () => {
    const { token } = await signedIn("staff")
    const id = await mediaFile(token, "pdf", "page.html")
    const whole = await download(`/api/media/${id}/file`, { token })
    expect(whole.status).toBe(200)
    const headers = (name: string) => whole.headers.get(name)
    expect(headers("content-type")).toBe("application/pdf")
    expect(headers("content-disposition")).toBe('inline; filename="page.html.pdf"')
    expect(headers("x-content-type-options")).toBe("nosniff")
    expect(headers("content-security-policy")).toContain("frame-ancestors 'self'")
    const part = await download(`/api/media/${id}/file`, { token, headers: { range: "bytes=0-3" } })
    expect([part.status, new TextDecoder().decode(part.body)]).toEqual([206, "%PDF"])
    const known = await download(`/api/media/${id}/file`, {
      token,
      headers: { "if-none-match": headers("etag") ?? "" },
    })
    expect(known.status).toBe(304)
    const saved = await download(`/api/media/${id}/file?download=true`, { token })
    expect(saved.headers.get("content-disposition")).toBe('attachment; filename="page.html.pdf"')
  })

  it("gives players a link without a token that expires after 12 hours", async () => {
    vi.useFakeTimers({ toFake: ["Date"], now: Date.parse("2027-01-01T08:00Z") })
    const { token } = await signedIn("staff")
    const id = await mediaFile(token, "mp4")
    const { body, headers } = await get(`/api/media/${id}/link`, { token })
    expect(body).toEqual({
      url: expect.stringMatching(/^https:\/\/lectern.test\/media\//),
      expiresAt: expect.any(String),
    })
    expect(body.expiresAt).toBe("2027-01-01T20:00:00.000Z")
    expect(headers.get("cache-control")).toBe("no-store")
    const path = new URL(body.url).pathname
    const part = await download(path, { headers: { range: "bytes=4-7" } })
    expect([part.status, new TextDecoder().decode(part.body)]).toEqual([206, "ftyp"])
    expect(part.headers.get("x-content-type-options")).toBe("nosniff")
    expect((await download(`${path}x`)).status).toBe(404)
    vi.setSystemTime(Date.parse("2027-01-01T20:00Z"))
    expect((await download(path)).status).toBe(404)
  })
})

describe("who may see a file", () => {
  it("is staff, and learners who may see a record that uses it", async () => {
    const [staff, ada, stranger] = [await signedIn("staff"), await signedIn("general"), await signedIn("general")]
    const unused = await mediaFile(staff.token, "png")
    const inText = await mediaFile(staff.token, "png")
    const onCard = await mediaFile(staff.token, "png")
    const film = await mediaFile(staff.token, "mp4")
    const text = await module({ type: "text", content: image(inText) })
    const video = await module({ type: "video", mediaId: film })
    const knots = await course({ status: "draft", featuredImageUrl: `/api/media/${onCard}/file` }, [
      { moduleId: text.id },
      { moduleId: video.id },
    ])
    const enrolled = await enrollment(ada, knots)
    const statusOf = async (id: number, token: string) => (await download(`/api/media/${id}/file`, { token })).status
    const all = [unused, inText, onCard, film]
    const seenBy = (token: string) => Promise.all(all.map((id) => statusOf(id, token)))
    expect(await seenBy(staff.token)).toEqual([200, 200, 200, 200])
    // A module is seen when it was opened.
    expect(await seenBy(ada.token)).toEqual([404, 404, 200, 404])
    await moduleStatus(enrolled.id, text.id)
    await moduleStatus(enrolled.id, video.id)
    expect(await seenBy(ada.token)).toEqual([404, 200, 200, 200])
    expect(await seenBy(stranger.token)).toEqual([404, 404, 404, 404])
    expect((await get(`/api/media/${film}/link`, { token: stranger.token })).status).toBe(404)
    expect((await get(`/api/media/${film}`, { token: ada.token })).status).toBe(403)
    await db.update(courses).set({ status: "publish" })
    expect(await statusOf(onCard, stranger.token)).toBe(200)
  })

  it("includes learners who opened a quiz whose questions show it, drawn ones too", async () => {
    const [staff, ada, stranger] = [await signedIn("staff"), await signedIn("general"), await signedIn("general")]
    const [fixed, drawn] = [await mediaFile(staff.token, "png"), await mediaFile(staff.token, "png")]
    const asked = (text: string, id: number) => ({
      ...{ text, type: "numeric", numeric: { value: 6, tolerance: 0, unit: "" } },
      ...{ imageUrl: `/api/media/${id}/file`, imageAlt: "A knot" },
    })
    const { token } = staff
    const { id: poolId } = (await post("/api/question-pool/create", { name: "Knots" }, { token })).body
    const created = await post("/api/question/create", { poolId, ...asked("How many ends?", drawn) }, { token })
    const quiz = {
      ...{ name: "Knots", content: "", questions: [{ ...asked("How many loops?", fixed), points: 1 }] },
      draws: [{ poolId, tag: "", count: 1, points: 1 }],
    }
    const { id } = (await post("/api/modules/quiz", quiz, { token })).body
    const enrolled = await enrollment(ada, await course({}, [{ moduleId: id }]))
    const seenBy = (token: string) =>
      Promise.all([fixed, drawn].map(async (file) => (await download(`/api/media/${file}/file`, { token })).status))
    expect(await seenBy(ada.token)).toEqual([404, 404])
    await moduleStatus(enrolled.id, id)
    expect(await seenBy(ada.token)).toEqual([200, 200])
    expect(await seenBy(stranger.token)).toEqual([404, 404])
    const refused = await post("/api/media/delete", { delete_ids: [fixed, drawn] }, { token })
    expect(refused.status).toBe(409)
    expect(refused.body.message).toContain('the quiz question "How many loops?"')
    expect(refused.body.message).toContain('the bank question "How many ends?"')
    // An attempt has the version with the pictures, so a new version does not free them.
    await post("/api/quiz/attempt", { registrationId: enrolled.id, moduleId: id }, { token: ada.token })
    await put(`/api/question/${created.body.id}`, { imageUrl: "", imageAlt: "" }, { token })
    await put(`/api/modules/quiz/${id}`, { questions: [] }, { token })
    expect(await rowsOf(mediaUses)).toEqual([
      { source: "quiz_version", sourceId: id, mediaId: fixed },
      { source: "bank_question", sourceId: created.body.id, mediaId: drawn },
    ])
    expect(await seenBy(ada.token)).toEqual([200, 200])
    const inAttempt = await post("/api/media/delete", { delete_ids: [fixed] }, { token })
    expect([inAttempt.status, inAttempt.body.message]).toEqual([
      409,
      `Nothing was deleted. Files are used in the attempts of the quiz "Knots" (id ${id}).`,
    ])
  })

  it("is everyone for a logo, which is not deleted", async () => {
    const [owner, ada] = [await signedIn("owner"), await signedIn("general")]
    const { token } = owner
    const [academy, south] = [await mediaFile(token, "png"), await mediaFile(token, "png")]
    const pathOf = (id: number) => `/api/media/${id}/file`
    await put("/api/settings", { logoUrl: pathOf(academy) }, { token })
    const { id } = (await post("/api/portal/create", { name: "South", logoUrl: pathOf(south) }, { token })).body
    for (const file of [academy, south]) expect((await download(pathOf(file), { token: ada.token })).status).toBe(200)
    expect(await post("/api/media/delete", { delete_ids: [academy, south] }, { token })).toMatchObject({
      status: 409,
      body: {
        code: "media_in_use",
        message: `Nothing was deleted. Files are used in the settings of the academy, the portal "South" (id ${id}).`,
      },
    })
    await put(`/api/portal/${id}`, { logoUrl: "https://cdn.example/a.png" }, { token })
    expect((await post("/api/media/delete", { delete_ids: [south] }, { token })).status).toBe(200)
    expect(await rowsOf(mediaUses)).toEqual([{ source: "settings", sourceId: 1, mediaId: academy }])
  })

  it("is everyone for the icon of a badge, which is not deleted", async () => {
    const [staff, ada] = [await signedIn("staff"), await signedIn("general")]
    const file = await mediaFile(staff.token, "png")
    const badge = { title: "Tied", badgeIconUrl: `/api/media/${file}/file` }
    expect((await post("/api/badge/create", badge, { token: staff.token })).status).toBe(200)
    expect((await download(badge.badgeIconUrl, { token: ada.token })).status).toBe(200)
    const refused = await post("/api/media/delete", { delete_ids: [file] }, { token: staff.token })
    expect(refused.body.message).toBe('Nothing was deleted. Files are used in the badge "Tied" (id 1).')
  })

  it("includes the recipients of an announcement", async () => {
    const [staff, ada, stranger] = [await signedIn("staff"), await signedIn("general"), await signedIn("general")]
    const id = await mediaFile(staff.token, "png")
    const body = { heading: "News", content: image(id), sending_rules: "specific_users", user_ids: [ada.id] }
    expect((await post("/api/announcement", body, { token: staff.token })).status).toBe(200)
    expect((await download(`/api/media/${id}/file`, { token: ada.token })).status).toBe(200)
    expect((await download(`/api/media/${id}/file`, { token: stranger.token })).status).toBe(404)
  })
})

describe("the uses of files", () => {
  it("follow the text and the URLs of records", async () => {
    const { token } = await signedIn("staff")
    const [first, second] = [await mediaFile(token, "png"), await mediaFile(token, "png")]
    const content = `${image(first)}<p><a href="https://lectern.test/api/media/${second}/file">x</a></p>${image(first)}`
    const { id } = (await post("/api/modules/text", { name: "Knots", content }, { token })).body
    const use = (mediaId: number) => ({ source: "module", sourceId: id, mediaId })
    expect(await rowsOf(mediaUses)).toEqual([use(first), use(second)])
    await put(`/api/modules/text/${id}`, { content: image(second) }, { token })
    expect(await rowsOf(mediaUses)).toEqual([use(second)])
    await put(`/api/modules/text/${id}`, { content: "<p>No image, and /api/media/99/file.</p>" }, { token })
    expect(await rowsOf(mediaUses)).toEqual([])
    await put(`/api/modules/text/${id}`, { content: image(first) }, { token })
    await db.delete(modules).where(eq(modules.id, id))
    expect(await rowsOf(mediaUses)).toEqual([])
  })

  it("keep images of the library in the text as they are", async () => {
    const { token } = await signedIn("staff")
    const content = image(await mediaFile(token, "png"))
    const { id } = (await post("/api/modules/text", { name: "Knots", content }, { token })).body
    expect((await get(`/api/modules/text/${id}`, { token })).body.content).toBe(content)
  })

  it("prevent a deletion, which names them", async () => {
    const { token } = await signedIn("staff")
    const [used, unused] = [await mediaFile(token, "png"), await mediaFile(token, "png")]
    const { id } = (await post("/api/modules/text", { name: "Knots", content: image(used) }, { token })).body
    const refused = await post("/api/media/delete", { delete_ids: [used, unused] }, { token })
    const message = `Nothing was deleted. Files are used in the module "Knots" (id ${id}).`
    expect(refused).toMatchObject({ status: 409, body: { code: "media_in_use", message } })
    expect(await rowsOf(media)).toHaveLength(2)
    const deleted = await post("/api/media/delete", { delete_ids: [unused, 99] }, { token })
    expect(deleted.body).toEqual({ message: "1 media file deleted. 1 id unknown." })
    expect((await get(`/api/media/${unused}`, { token })).status).toBe(404)
    expect((await rowsOf(auditLogs)).at(-1)).toMatchObject({
      action: "deleted",
      subject: "media file",
      subjectId: unused,
    })
  })

  it("have events for programs that follow the feed", async () => {
    const { id: userId, token } = await signedIn("admin")
    const id = await mediaFile(token, "png", "Bowline.png")
    await put(`/api/media/${id}`, { altText: "A bowline" }, { token })
    await put(`/api/media/${id}`, { altText: "A bowline" }, { token })
    const feed = async () => (await get("/api/events?types=media.*", { token })).body.events
    const data = {
      id,
      kind: "image",
      name: "Bowline.png",
      extension: "png",
      altText: "A bowline",
      user: { id: userId },
    }
    expect(await feed()).toMatchObject([
      { type: "media.created", data },
      { type: "media.updated", data, previous: { altText: "" } },
    ])
    await post("/api/media/delete", { delete_ids: [id] }, { token })
    expect((await feed()).at(-1)).toMatchObject({ type: "media.deleted", data: { id, deleted: true } })
  })

  it("leave the file of a deleted record to the cron", async () => {
    vi.useFakeTimers({ toFake: ["Date"], now: Date.parse("2027-01-01T08:00Z") })
    const { token } = await signedIn("staff")
    const id = await mediaFile(token, "png")
    await post("/api/media/delete", { delete_ids: [id] }, { token })
    expect((await env.FILES.list()).objects).toHaveLength(1)
    vi.setSystemTime(Date.parse("2027-01-01T09:00Z"))
    await runScheduled(env)
    expect((await env.FILES.list()).objects).toEqual([])
  })
})

describe("captions", () => {
  it("are stored by language and served as WebVTT", async () => {
    const { token } = await signedIn("staff")
    const id = await mediaFile(token, "mp4")
    const saved = await put(`/api/media/${id}/captions/pt-br`, { content: VTT }, { token })
    expect(saved).toMatchObject({ status: 200, body: { message: "Captions saved." } })
    await put(`/api/media/${id}/captions/en`, { content: VTT, label: "English (edited)" }, { token })
    const url = (language: string) => `/api/media/${id}/captions/${language}`
    expect((await get(`/api/media/${id}`, { token })).body.captions).toEqual([
      { language: "en", label: "English (edited)", url: url("en") },
      { language: "pt-BR", label: "português (Brasil)", url: url("pt-BR") },
    ])
    const file = await download(url("pt-BR"), { token })
    expect([file.headers.get("content-type"), new TextDecoder().decode(file.body)]).toEqual([
      "text/vtt; charset=utf-8",
      VTT.trim(),
    ])
    expect((await post(`/api/media/${id}/captions/delete`, { language: "en" }, { token })).status).toBe(200)
    expect((await download(url("en"), { token })).status).toBe(404)
    expect((await post(`/api/media/${id}/captions/delete`, { language: "en" }, { token })).status).toBe(404)
  })

  it("are refused if they are not WebVTT, with the line", async () => {
    const { token } = await signedIn("staff")
    const [film, picture] = [await mediaFile(token, "mp4"), await mediaFile(token, "png")]
    const save = (id: number, content: string) => put(`/api/media/${id}/captions/en`, { content }, { token })
    const srt = "1\n00:00:00,000 --> 00:00:02,000\nGood morning.\n"
    expect(await save(film, srt)).toMatchObject({
      status: 422,
      body: { errors: { content: [/line 1: .*signature/i] } },
    })
    expect(await save(film, "WEBVTT\n")).toMatchObject({ status: 422, body: { errors: { content: [/no captions/] } } })
    const reversed = "WEBVTT\n\n00:05.000 --> 00:02.000\nToo early\n"
    expect(await save(film, reversed)).toMatchObject({ status: 422, body: { errors: { content: [/line 3/] } } })
    expect((await save(picture, VTT)).status).toBe(422)
    expect((await save(99, VTT)).status).toBe(404)
    expect((await put(`/api/media/${film}/captions/xq`, { content: VTT }, { token })).status).toBe(404)
  })

  it("are shown to those who may see the file", async () => {
    const [staff, ada] = [await signedIn("staff"), await signedIn("general")]
    const id = await mediaFile(staff.token, "mp4")
    await put(`/api/media/${id}/captions/en`, { content: VTT }, { token: staff.token })
    const video = await module({ type: "video", mediaId: id })
    const enrolled = await enrollment(ada, await course({}, [{ moduleId: video.id }]))
    expect((await download(`/api/media/${id}/captions/en`, { token: ada.token })).status).toBe(404)
    await moduleStatus(enrolled.id, video.id)
    expect((await download(`/api/media/${id}/captions/en`, { token: ada.token })).status).toBe(200)
  })
})

describe("a video module", () => {
  it("refers to a video, an audio file or a PDF, and returns it with its captions", async () => {
    const { token } = await signedIn("staff")
    const [film, picture] = [await mediaFile(token, "mp4", "Bowline.mp4"), await mediaFile(token, "png")]
    await put(`/api/media/${film}/captions/en`, { content: VTT }, { token })
    const create = (mediaId: number) => post("/api/modules/video", { name: "Film", content: "", mediaId }, { token })
    expect(await create(picture)).toMatchObject({ status: 422, body: { errors: { mediaId: [/video/] } } })
    expect(await create(99)).toMatchObject({ status: 422, body: { errors: { mediaId: [/does not exist: 99/] } } })
    const { id } = (await create(film)).body
    const { body } = await get(`/api/modules/video/${id}`, { token })
    expect(body).toMatchObject({ mediaId: film, videoUrl: null })
    expect(body.media).toEqual({
      ...{ id: film, kind: "video", name: "Bowline.mp4", mimeType: "video/mp4", bytes: 64, transcript: "" },
      url: `/api/media/${film}/file`,
      captions: [{ language: "en", label: "English", url: `/api/media/${film}/captions/en` }],
    })
    expect((await put(`/api/modules/video/${id}`, body, { token })).status).toBe(200)
    expect((await get(`/api/modules/video/${id}`, { token })).body.mediaId).toBe(film)
    expect((await post("/api/media/delete", { delete_ids: [film] }, { token })).status).toBe(409)
    await put(`/api/modules/video/${id}`, { mediaId: null }, { token })
    expect((await get(`/api/modules/video/${id}`, { token })).body).toMatchObject({ mediaId: null, media: null })
    expect((await post("/api/media/delete", { delete_ids: [film] }, { token })).status).toBe(200)
  })

  it("rejects other methods at the address of a file", async () => {
    const { token } = await signedIn("staff")
    const id = await mediaFile(token, "png")
    expect((await call("DELETE", `/api/media/${id}/file`, { token })).status).toBe(405)
    expect(fileOf("png", 5)).toHaveLength(5)
  })
})
