import type { DataOf } from "../../../client/index.ts"
import { createIdempotencyKey } from "../../../client/send.ts"
import { api, redirectToSignIn } from "../../api/client.ts"
import { type Cmi, parseMessage, READY, type Start } from "../../frame/messages.ts"

export type Launch = DataOf<"/api/scorm/launch", "get">

/** Delay before uncommitted data is saved: the maximum loss in a crash. */
const AUTOSAVE_MS = 30_000
/** How long an unloaded package may still send data. */
const CLOSE_DELAY_MS = 5_000
/** Browsers limit keepalive requests to 64 KiB in total. */
const MAX_KEEPALIVE_BYTES = 60_000

interface Listener {
  onSaved: () => void
  /** Saving failed; undefined: it succeeded again. */
  onProblem: (error: unknown) => void
  /** The package was unloaded. */
  onClosed: () => void
}

/**
 * The player's side of a SCORM package in a frame of another origin: sends the package its data, and saves the data
 * that it sends back. The package has no other access to the API.
 */
export class PackageSession {
  private readonly launch: Launch
  private readonly name: string
  private readonly frame: HTMLIFrameElement
  private readonly listener: Listener
  private readonly channel = new MessageChannel()
  /** Data to save. Each message has the complete data, so only the newest matters. */
  private unsaved: Cmi | undefined
  /** Data of the running request. */
  private sending: Cmi | undefined
  private autosave: ReturnType<typeof setTimeout> | undefined
  /** The page is unloading: only keepalive requests still arrive. */
  private isUnloading = false

  constructor(launch: Launch, name: string, frame: HTMLIFrameElement, listener: Listener) {
    this.launch = launch
    this.name = name
    this.frame = frame
    this.listener = listener
    this.channel.port1.onmessage = ({ data }) => this.receive(data)
    addEventListener("message", this.onReady)
    addEventListener("online", this.save)
    addEventListener("pagehide", this.flush)
    document.addEventListener("visibilitychange", this.save)
  }

  /** Ends the session when the frame is removed. Data that the package sends on unload is saved. */
  close() {
    this.save()
    removeEventListener("message", this.onReady)
    setTimeout(() => {
      this.channel.port1.close()
      removeEventListener("online", this.save)
      removeEventListener("pagehide", this.flush)
      document.removeEventListener("visibilitychange", this.save)
    }, CLOSE_DELAY_MS)
  }

  /** Answers the ready message of the frame with its data and a port, once. */
  private readonly onReady = ({ data, origin, source }: MessageEvent) => {
    const { contentWindow } = this.frame
    const content = new URL(this.launch.launch_url).origin
    if (data !== READY || origin !== content || source === null || source !== contentWindow) return
    removeEventListener("message", this.onReady)
    const start: Start = { type: "start", name: this.name, cmi: this.launch.cmi }
    contentWindow?.postMessage(start, content, [this.channel.port2])
  }

  private receive(data: unknown) {
    const message = parseMessage(data)
    if (!message) return
    if (message.type !== "closed") this.unsaved = message.cmi
    if (this.isUnloading) this.flush()
    else if (message.type !== "changed") this.save()
    else this.autosave ??= setTimeout(this.save, AUTOSAVE_MS)
    if (message.type === "closed") this.listener.onClosed()
  }

  /** Saves unsaved data, one request at a time. Failed data is retried with the next message. */
  private readonly save = async () => {
    clearTimeout(this.autosave)
    this.autosave = undefined
    if (this.sending) return
    const { registrationId, moduleId, commit_url } = this.launch
    const session = new URL(commit_url).searchParams.get("session") ?? ""
    try {
      while (this.unsaved) {
        this.sending = this.unsaved
        this.unsaved = undefined
        const params = { query: { registrationId, moduleId, session } }
        await api.POST("/api/scorm/commit", { params, body: { cmi: this.sending } })
        this.listener.onProblem(undefined)
        this.listener.onSaved()
      }
    } catch (error) {
      this.unsaved ??= this.sending
      if (!redirectToSignIn(error)) this.listener.onProblem(error)
    } finally {
      this.sending = undefined
    }
  }

  /** Sends unsaved data, including that of a running request, with a keepalive request. */
  private readonly flush = () => {
    this.isUnloading = true
    const cmi = this.unsaved ?? this.sending
    if (!cmi) return
    this.unsaved = undefined
    this.sending = undefined
    const { pathname, search } = new URL(this.launch.commit_url)
    const body = new Blob([JSON.stringify({ cmi })])
    const headers = { "content-type": "application/json", "idempotency-key": createIdempotencyKey() }
    const keepalive = body.size <= MAX_KEEPALIVE_BYTES
    fetch(`${pathname}${search}`, { method: "POST", headers, body, keepalive }).catch(() => undefined)
  }
}
