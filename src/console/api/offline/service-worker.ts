// The service worker of the console. It stores the console's files and the images of lessons, so that both open without
// a connection. Data of the API is stored by the page (through-store.ts), which knows whose it is.

/** The parts of the service worker's API that the types of pages lack. */
interface ExtendableEvent extends Event {
  waitUntil(promise: Promise<unknown>): void
}
interface FetchEvent extends ExtendableEvent {
  readonly request: Request
  respondWith(response: Promise<Response>): void
}
interface WorkerScope {
  skipWaiting(): Promise<void>
  clients: { claim(): Promise<void> }
  addEventListener(type: "install" | "activate", listener: (event: ExtendableEvent) => void): void
  addEventListener(type: "message", listener: (event: ExtendableEvent & { data: unknown }) => void): void
  addEventListener(type: "fetch", listener: (event: FetchEvent) => void): void
}
const worker = self as unknown as WorkerScope

const FILES = "lectern-files"
const IMAGES = "lectern-images"
/** The document of every view. */
const DOCUMENT = "/console"
const MAX_IMAGE_BYTES = 2_000_000
const MAX_IMAGES = 100
const MEDIA_FILE = /^\/api\/media\/\d+\/file$/
/** How long a page waits for the network before the stored document is shown. */
const DOCUMENT_TIMEOUT_MS = 5000

worker.addEventListener("install", () => worker.skipWaiting())
worker.addEventListener("activate", (event) => event.waitUntil(worker.clients.claim()))

const isDocument = ({ ok, redirected, headers }: Response) =>
  ok && !redirected && (headers.get("content-type") ?? "").startsWith("text/html")

/** The script of a document: its name changes with every version of the console. */
const scriptOf = (html: string) => /<script[^>]* src="([^"]+)"/.exec(html)?.[1]

/** Stores the document. That of a new version replaces the files of the previous one. */
async function storeDocument(response: Response) {
  const files = await caches.open(FILES)
  const previous = await files.match(DOCUMENT)
  const html = await response.clone().text()
  if (previous && scriptOf(await previous.text()) !== scriptOf(html)) await caches.delete(FILES)
  await (await caches.open(FILES)).put(DOCUMENT, response)
}

async function storeFiles(urls: readonly string[]) {
  const files = await caches.open(FILES)
  await Promise.all(urls.map(async (url) => (await files.match(url)) ?? files.add(url)))
}

/** The document from the network; if that fails or takes long, the stored one. */
async function answerDocument(event: FetchEvent): Promise<Response> {
  const fresh = fetch(event.request).then((response) => {
    if (isDocument(response)) event.waitUntil(storeDocument(response.clone()))
    return response
  })
  const timeout = new Promise<undefined>((resolve) => setTimeout(() => resolve(undefined), DOCUMENT_TIMEOUT_MS))
  const first = await Promise.race([fresh.catch(() => undefined), timeout])
  return first ?? (await caches.match(DOCUMENT, { ignoreVary: true })) ?? fresh
}

/** A file of the console, whose name has a hash of its content. The page does not wait until it is stored. */
async function answerFile(event: FetchEvent): Promise<Response> {
  const { request } = event
  const files = await caches.open(FILES)
  const stored = await files.match(request.url)
  if (stored) return stored
  const response = await fetch(request)
  if (response.ok) event.waitUntil(files.put(request.url, response.clone()))
  return response
}

async function storeImage(url: string, response: Response) {
  const body = await response.blob()
  if (body.size > MAX_IMAGE_BYTES) return
  const images = await caches.open(IMAGES)
  const oldest = (await images.keys()).slice(0, -MAX_IMAGES)
  await Promise.all(oldest.map((request) => images.delete(request)))
  await images.put(url, new Response(body, { headers: response.headers }))
}

/** An image from the network; without a connection, the stored one. */
async function answerImage(event: FetchEvent): Promise<Response> {
  const { request } = event
  try {
    const response = await fetch(request)
    if (response.ok) event.waitUntil(storeImage(request.url, response.clone()))
    return response
  } catch (error) {
    const stored = await caches.match(request.url)
    if (stored) return stored
    throw error
  }
}

worker.addEventListener("fetch", (event) => {
  const { request } = event
  const { origin, pathname } = new URL(request.url)
  if (request.method !== "GET" || origin !== location.origin) return
  if (request.mode === "navigate") event.respondWith(answerDocument(event))
  else if (pathname.startsWith("/assets/console/")) event.respondWith(answerFile(event))
  // Forwarded, any other image would look like a call of a script to the API, which could then change data.
  else if (request.destination === "image" && MEDIA_FILE.test(pathname)) event.respondWith(answerImage(event))
})

/** The files that a page loaded before this service worker ran, and its document. */
interface Loaded {
  type: "loaded"
  page: string
  files: readonly string[]
}
const isLoaded = (data: unknown): data is Loaded =>
  typeof data === "object" && data !== null && "type" in data && data.type === "loaded"

worker.addEventListener("message", (event) => {
  const { data } = event
  if (!isLoaded(data)) return
  const document = fetch(data.page).then((response) => (isDocument(response) ? storeDocument(response) : undefined))
  event.waitUntil(document.then(() => storeFiles(data.files)))
})
