import { env } from "cloudflare:workers"
import { afterEach, describe, expect, it, vi } from "vitest"
import { auditLogs } from "../../drizzle/schema/audit.ts"
import { media, mediaUploads } from "../../drizzle/schema/media.ts"
import { runScheduled } from "../../src/worker/scheduled.ts"
import { rowsOf, signedIn } from "../factories/index.ts"
import {
  continueUpload,
  fileOf,
  mediaFile,
  OFFSET_TYPE,
  offsetOf,
  startUpload,
  TUS,
  uploadIdOf,
} from "../factories/media.ts"
import { call, cost, download, get } from "../helpers/client.ts"

afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

const MEBIBYTE = 1024 * 1024
const keysOf = async () => (await env.FILES.list()).objects.map(({ key }) => key)

describe("an upload", () => {
  it("tells clients what the server supports", async () => {
    const { status, headers } = await call("OPTIONS", "/api/media/uploads")
    expect(status).toBe(204)
    expect(headers.get("tus-version")).toBe("1.0.0")
    expect(headers.get("tus-extension")).toBe("creation,creation-with-upload,expiration,termination")
    expect(headers.get("tus-max-size")).toBe("2000000000")
  })

  it("of one request becomes a file of the library", async () => {
    const staff = await signedIn("staff")
    const bytes = fileOf("png", 5000)
    const created = await startUpload(staff.token, "Knots.png", bytes.length, bytes)
    expect(created.status).toBe(201)
    expect(created.headers.get("location")).toBe("https://lectern.test/api/media/uploads/1")
    expect(created.headers.get("upload-offset")).toBe("5000")
    expect(await offsetOf(staff.token, 1)).toBe(5000)
    const { body } = await get("/api/media/1", { token: staff.token })
    expect(body).toMatchObject({
      ...{ id: 1, kind: "image", name: "Knots.png", mimeType: "image/png", bytes: 5000, used: false },
      ...{ url: "/api/media/1/file", altText: "", transcript: "", captions: [] },
    })
    expect((await download("/api/media/1/file", { token: staff.token })).body).toEqual(bytes)
    expect(await rowsOf(mediaUploads)).toEqual([])
    expect(await rowsOf(auditLogs)).toMatchObject([
      { action: "created", subject: "media file", effectOn: "Knots.png", details: { bytes: 5000, type: "png" } },
    ])
    expect(await keysOf()).toHaveLength(1)
  })

  it("takes chunks of any size, and stores equal parts for R2", async () => {
    const staff = await signedIn("staff")
    const bytes = fileOf("mp4", 17 * MEBIBYTE + 12_345)
    const id = uploadIdOf(await startUpload(staff.token, "film.mp4", bytes.length))
    const sizes = [1, 10, 70_000, 6 * MEBIBYTE, 3, 5 * MEBIBYTE, 999_999]
    let offset = 0
    for (let i = 0; offset < bytes.length; i++) {
      const end = Math.min(bytes.length, offset + (sizes[i % sizes.length] ?? 1))
      const { status, headers } = await continueUpload(staff.token, id, offset, bytes.slice(offset, end))
      expect([status, headers.get("upload-offset")]).toEqual([204, String(end)])
      // The bytes after the last part are in one object.
      expect((await keysOf()).length).toBeLessThanOrEqual(1)
      offset = end
    }
    const saved = await download(`/api/media/${id}/file`, { token: staff.token })
    expect(Buffer.compare(Buffer.from(saved.body), Buffer.from(bytes))).toBe(0)
    expect(saved.headers.get("content-type")).toBe("video/mp4")
    expect(await keysOf()).toHaveLength(1)
  })

  it("writes one row for each chunk", async () => {
    const staff = await signedIn("staff")
    const bytes = fileOf("mp4", 200_000)
    const id = uploadIdOf(await startUpload(staff.token, "film.mp4", bytes.length))
    const answer = await continueUpload(staff.token, id, 0, bytes.slice(0, 100_000))
    expect(cost(answer)).toMatchObject({ roundTrips: 2, written: 1 })
  })

  it("returns 409 for another offset than the stored one", async () => {
    const staff = await signedIn("staff")
    const bytes = fileOf("pdf", 1000)
    const id = uploadIdOf(await startUpload(staff.token, "a.pdf", 1000, bytes.slice(0, 400)))
    const refused = await continueUpload(staff.token, id, 0, bytes.slice(0, 400))
    expect(refused).toMatchObject({ status: 409, body: { code: "offset_mismatch" } })
    expect(await offsetOf(staff.token, id)).toBe(400)
    expect((await continueUpload(staff.token, id, 400, bytes.slice(400))).status).toBe(204)
    expect((await download(`/api/media/${id}/file`, { token: staff.token })).body).toEqual(bytes)
  })

  it("lets one of two requests at the same offset win", async () => {
    const staff = await signedIn("staff")
    const bytes = fileOf("pdf", 100_000)
    const id = uploadIdOf(await startUpload(staff.token, "a.pdf", bytes.length))
    const both = await Promise.all([0, 1].map(() => continueUpload(staff.token, id, 0, bytes.slice(0, 70_000))))
    expect(both.map(({ status }) => status).sort()).toEqual([204, 409])
    expect((await continueUpload(staff.token, id, 70_000, bytes.slice(70_000))).status).toBe(204)
    expect((await download(`/api/media/${id}/file`, { token: staff.token })).body).toEqual(bytes)
  })

  it("keeps what arrived before the connection was lost", async () => {
    const staff = await signedIn("staff")
    const bytes = fileOf("mp4", 7 * MEBIBYTE)
    const id = uploadIdOf(await startUpload(staff.token, "film.mp4", bytes.length))
    let sent = 0
    const body = new ReadableStream({
      type: "bytes",
      pull(controller) {
        if (sent >= 6 * MEBIBYTE) return controller.error(new Error("The network is down."))
        controller.enqueue(bytes.slice(sent, sent + 65_536))
        sent += 65_536
      },
    })
    const { default: worker } = await import("../../src/index.ts")
    const request = new Request(`https://lectern.test/api/media/uploads/${id}`, {
      method: "PATCH",
      headers: {
        ...TUS,
        ...{ authorization: `Bearer ${staff.token}`, "upload-offset": "0", "content-type": OFFSET_TYPE },
      },
      body,
    })
    const context = { waitUntil: () => {}, passThroughOnException: () => {} } as unknown as ExecutionContext
    await worker.fetch(request as Parameters<typeof worker.fetch>[0], env, context)
    expect(await offsetOf(staff.token, id)).toBe(6 * MEBIBYTE)
    expect((await continueUpload(staff.token, id, 6 * MEBIBYTE, bytes.slice(6 * MEBIBYTE))).status).toBe(204)
    const saved = await download(`/api/media/${id}/file`, { token: staff.token })
    expect(Buffer.compare(Buffer.from(saved.body), Buffer.from(bytes))).toBe(0)
  })

  it("is refused by its content before it is complete, and leaves nothing", async () => {
    const staff = await signedIn("staff")
    const id = uploadIdOf(await startUpload(staff.token, "film.mp4", 10_000_000))
    const refused = await continueUpload(staff.token, id, 0, fileOf("zip", 100_000))
    expect(refused).toMatchObject({ status: 415, body: { code: "unsupported_type", message: /film.mp4/ } })
    expect(await offsetOf(staff.token, id)).toBe(404)
    expect([await rowsOf(mediaUploads), await rowsOf(media), await keysOf()]).toEqual([[], [], []])
  })

  it("is refused by its length before bytes are sent", async () => {
    const { token } = await signedIn("staff")
    expect(await startUpload(token, "photo.jpeg", 25_000_001)).toMatchObject({
      status: 413,
      body: { message: /25 MB/ },
    })
    expect((await startUpload(token, "photo.jpeg", 25_000_000)).status).toBe(201)
    expect((await startUpload(token, "film.mp4", 2_000_000_001)).status).toBe(413)
    expect((await startUpload(token, "film.mp4", 0)).status).toBe(422)
    // By its content it is an image.
    const image = await startUpload(token, "photo.mp4", 30_000_000, fileOf("png", 70_000))
    expect(image).toMatchObject({ status: 413, body: { message: /25 MB/ } })
  })

  it("returns the errors of the protocol", async () => {
    const { token } = await signedIn("staff")
    const id = uploadIdOf(await startUpload(token, "a.pdf", 100))
    const patch = (headers: Record<string, string>, body = new Uint8Array(1)) =>
      call("PATCH", `/api/media/uploads/${id}`, { token, headers, body })
    expect((await patch({ "upload-offset": "0", "content-type": OFFSET_TYPE })).status).toBe(412)
    expect((await patch({ ...TUS, "upload-offset": "0", "content-type": "text/plain" })).status).toBe(415)
    expect((await patch({ ...TUS, "content-type": OFFSET_TYPE })).status).toBe(422)
    expect((await continueUpload(token, id, 0, new Uint8Array(101))).status).toBe(413)
    expect((await continueUpload(token, 999, 0, new Uint8Array(1))).status).toBe(404)
    const nameless = { ...TUS, "upload-length": "10" }
    expect((await call("POST", "/api/media/uploads", { token, headers: nameless })).status).toBe(422)
  })

  it("is only for those who may edit courses, and only for the uploader", async () => {
    const [staff, other, learner] = [await signedIn("staff"), await signedIn("staff"), await signedIn("general")]
    expect((await startUpload(learner.token, "a.pdf", 100)).status).toBe(403)
    const id = uploadIdOf(await startUpload(staff.token, "a.pdf", 100))
    expect(await offsetOf(other.token, id)).toBe(404)
    expect((await continueUpload(other.token, id, 0, new Uint8Array(1))).status).toBe(404)
    expect((await call("DELETE", `/api/media/uploads/${id}`, { token: other.token, headers: TUS })).status).toBe(404)
  })

  it("is canceled with everything that it stored", async () => {
    const { token } = await signedIn("staff")
    const bytes = fileOf("mp4", 6 * MEBIBYTE)
    const id = uploadIdOf(await startUpload(token, "film.mp4", 50_000_000, bytes))
    expect(await keysOf()).toHaveLength(1)
    expect((await call("DELETE", `/api/media/uploads/${id}`, { token, headers: TUS })).status).toBe(204)
    expect(await offsetOf(token, id)).toBe(404)
    expect([await rowsOf(mediaUploads), await keysOf()]).toEqual([[], []])
  })

  it("expires after three days, and the cron deletes what it stored", async () => {
    vi.useFakeTimers({ toFake: ["Date"], now: Date.parse("2027-01-01T00:00Z") })
    const { token } = await signedIn("staff")
    const created = await startUpload(token, "film.mp4", 50_000_000, fileOf("mp4", 6 * MEBIBYTE))
    expect(created.headers.get("upload-expires")).toBe("Mon, 04 Jan 2027 00:00:00 GMT")
    const id = uploadIdOf(created)
    vi.setSystemTime(Date.parse("2027-01-04T00:00Z"))
    const later = (await signedIn("owner")).token
    expect(later).toBeTruthy()
    await runScheduled(env)
    expect(await keysOf()).toHaveLength(1)
    vi.setSystemTime(Date.parse("2027-01-04T00:31Z"))
    await runScheduled(env)
    expect([await rowsOf(mediaUploads), await keysOf()]).toEqual([[], []])
    expect(id).toBe(1)
  })

  it("is refused beyond the number of unfinished uploads and the size of the library", async () => {
    const { token } = await signedIn("staff")
    await mediaFile(token, "pdf")
    const limited = { ...env, MAX_UNUSED_FILES: "1", MAX_MEDIA_MB: "1" }
    const { default: worker } = await import("../../src/index.ts")
    const context = { waitUntil: () => {}, passThroughOnException: () => {} } as unknown as ExecutionContext
    const start = (size: number) =>
      worker.fetch(
        new Request("https://lectern.test/api/media/uploads", {
          method: "POST",
          headers: {
            ...TUS,
            ...{
              authorization: `Bearer ${token}`,
              "upload-length": String(size),
              "upload-metadata": "filename YS5wZGY=",
            },
          },
        }) as Parameters<typeof worker.fetch>[0],
        limited,
        context,
      )
    expect((await start(1_000_000)).status).toBe(409)
    expect((await start(900_000)).status).toBe(201)
    const refused = await start(10)
    expect([refused.status, await refused.json()]).toMatchObject([409, { code: "too_many_files" }])
  })

  it("is stored once if R2 completed it and the change of the database was lost", async () => {
    const { token } = await signedIn("staff")
    const bytes = fileOf("mp4", 6 * MEBIBYTE)
    const id = uploadIdOf(await startUpload(token, "film.mp4", bytes.length, bytes.slice(0, 5 * MEBIBYTE)))
    const [upload] = await rowsOf(mediaUploads)
    if (!upload?.multipartId) throw new Error("No part was stored.")
    const multipart = env.FILES.resumeMultipartUpload(upload.key, upload.multipartId)
    const last = await multipart.uploadPart(2, bytes.slice(5 * MEBIBYTE))
    await multipart.complete([...upload.parts, last])
    expect((await continueUpload(token, id, 5 * MEBIBYTE, bytes.slice(5 * MEBIBYTE))).status).toBe(204)
    const saved = await download(`/api/media/${id}/file`, { token })
    expect(Buffer.compare(Buffer.from(saved.body), Buffer.from(bytes))).toBe(0)
  })
})
