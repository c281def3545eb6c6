// npm run verify -- media: uploads a large video with tus-js-client through connections that are cut, downloads it
// again, and measures the memory of the service. Linux, for /proc.
import { createHash, randomFillSync } from "node:crypto"
import { closeSync, createReadStream, mkdtempSync, openSync, rmSync, writeSync } from "node:fs"
import { connect, createServer, type Socket } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { Upload } from "tus-js-client"
import { fail, flags, integer } from "./lib/cli.ts"
import { PASSWORD } from "./lib/client.ts"
import { freePort } from "./lib/ports.ts"
import { heapsOf, residentMiB } from "./lib/process-memory.ts"
import { startService, toVarFlags } from "./lib/service.ts"
import { findWorkerd } from "./lib/workerd.ts"

const values = flags("npm run verify -- media", "Uploads a video through cut connections and downloads it again.", {
  size: { type: "string", value: "MB", default: "60", about: "the size of the video" },
  cuts: { type: "string", value: "n", default: "3", about: "how many connections are cut" },
  limit: { type: "string", value: "MiB", default: "64", about: "the maximum memory of the service's isolate" },
})
const [SIZE, CUTS, LIMIT] = [
  integer("size", values.size) * 1_000_000,
  integer("cuts", values.cuts),
  integer("limit", values.limit),
]
/** Not a multiple of R2's part size, so that bytes remain after each request. */
const CHUNK_SIZE = 12_345_678
const BLOCK = 1_000_000
const SAMPLE_EVERY_MS = 500

const folder = mkdtempSync(join(tmpdir(), "lectern-media-"))
process.on("exit", () => rmSync(folder, { recursive: true, force: true }))

/** Writes a file that begins like an MP4 video. @returns its hash */
function createVideo(path: string): string {
  const hash = createHash("sha256")
  const file = openSync(path, "w")
  const block = new Uint8Array(BLOCK)
  for (let offset = 0; offset < SIZE; offset += BLOCK) {
    randomFillSync(block)
    if (offset === 0) block.set(Buffer.from("\0\0\0\x18ftypisom\0\0\x02\0isomiso2\0\0\0\x08free", "latin1"))
    const bytes = block.subarray(0, Math.min(BLOCK, SIZE - offset))
    hash.update(bytes)
    writeSync(file, bytes)
  }
  closeSync(file)
  return hash.digest("hex")
}

/** A proxy that cuts the connection whenever another share of the bytes was sent. */
async function startCutter(target: number) {
  const port = await freePort()
  let sent = 0
  let cuts = 0
  const server = createServer((client: Socket) => {
    const upstream = connect(target, "localhost")
    const close = () => {
      client.destroy()
      upstream.destroy()
    }
    client.on("data", (bytes) => {
      sent += bytes.length
      if (cuts < CUTS && sent > (SIZE * (cuts + 0.6)) / CUTS) {
        cuts++
        close()
      }
    })
    client.pipe(upstream).pipe(client)
    for (const socket of [client, upstream]) socket.on("error", close).on("close", close)
  })
  await new Promise<void>((ready) => server.listen(port, ready))
  return { url: `http://localhost:${port}`, cuts: () => cuts, sent: () => sent, close: () => server.close() }
}

const path = join(folder, "film.mp4")
const sent = createVideo(path)
const inspectorPort = await freePort()
const vars = toVarFlags({ RATE_LIMIT: "1000000", ENVIRONMENT: "production", ACCESS_POLICY: "documented" })
const service = await startService(join(folder, "state"), vars, { inspectorPort })
const cutter = await startCutter(Number(new URL(service.url).port))
const body = JSON.stringify({ email: "staff@example.com", password: PASSWORD })
const login = await fetch(`${service.url}/login`, {
  method: "POST",
  body,
  headers: { "content-type": "application/json" },
})
const { token } = (await login.json()) as { token: string }
const authorization = { authorization: `Bearer ${token}` }

const pid = findWorkerd(folder)
let peak = 0
const measure = async (collect = false) => {
  const { service: isolate } = await heapsOf(pid, inspectorPort, collect)
  const inUse = isolate.used + isolate.external
  peak = Math.max(peak, inUse)
  return inUse
}
const before = await measure(true)

const startedAt = performance.now()
let errors = 0
let isDone = false
const upload = new Promise<string>((resolve, reject) => {
  const file = new Upload(createReadStream(path), {
    endpoint: `${cutter.url}/api/media/uploads`,
    headers: authorization,
    metadata: { filename: "film.mp4", filetype: "video/mp4" },
    chunkSize: CHUNK_SIZE,
    uploadSize: SIZE,
    retryDelays: [200, 500, 1000, 2000, 2000],
    onShouldRetry: () => {
      errors++
      return true
    },
    onError: reject,
    onSuccess: () => resolve(file.url ?? ""),
  })
  file.start()
}).finally(() => {
  isDone = true
})
const samples = (async () => {
  while (!isDone) {
    await measure().catch(() => {})
    await sleep(SAMPLE_EVERY_MS)
  }
})()
const url = await upload.catch((error: unknown) => fail(`The upload failed: ${error}`))
await samples
const seconds = (performance.now() - startedAt) / 1000

const id = Number(url.split("/").at(-1))
const answer = await fetch(`${service.url}/api/media/${id}/file`, { headers: authorization })
const hash = createHash("sha256")
let received = 0
for await (const bytes of answer.body ?? []) {
  hash.update(bytes)
  received += bytes.length
  if (received % (50 * BLOCK) < bytes.length) await measure().catch(() => {})
}
const after = await measure(true)
console.info(
  `${SIZE / 1_000_000} MB in ${seconds.toFixed(1)} s through ${cutter.cuts()} cut connections (${errors} retries; ` +
    `${((cutter.sent() - SIZE) / 1_000_000).toFixed(1)} MB sent again). ` +
    `The isolate used ${before.toFixed(0)} MiB before, at most ${peak.toFixed(0)} MiB, ` +
    `and ${after.toFixed(0)} MiB after (limit ${LIMIT} MiB); ` +
    `the process ${residentMiB(pid).toFixed(0)} MiB.`,
)
cutter.close()
await service.stop()
if (cutter.cuts() !== CUTS) fail(`${cutter.cuts()} of ${CUTS} connections were cut.`)
if (received !== SIZE || hash.digest("hex") !== sent) fail("The downloaded file differs from the uploaded one.")
if (peak > LIMIT) fail(`The isolate used more than ${LIMIT} MiB.`)
process.exit(0)
