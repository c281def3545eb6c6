import type { DataOf } from "../../../client/index.ts"
import { newKey } from "../../../client/send.ts"
import { api, toSignIn } from "../../api/client.ts"
import { type Cmi, READY, readMessage, type Start } from "../../frame/messages.ts"

export type Launch = DataOf<"/api/scorm/launch", "get">

/** Milliseconds until data that a package set without a commit are kept: what a crash loses at most. */
const AUTOSAVE_MS = 30_000
/** Milliseconds for which a package that was taken away may still tell its last data. */
const FAREWELL_MS = 5_000
/** Bytes that a browser sends for a page that is gone; it allows 64 KiB in all. */
const MAX_KEEPALIVE_BYTES = 60_000

interface Listener {
  /** Data were kept. */
  onSaved: () => void
  /** Data could not be kept; undefined: they are by now. */
  onProblem: (error: unknown) => void
  /** The package is gone. */
  onClosed: () => void
}

/**
 * The player's side of a package in a frame of another origin: hands it its data, and keeps what it tells, by the one
 * call that the launch is for. The package can ask for nothing else.
 */
export class PackageSession {
  private readonly launch: Launch
  private readonly name: string
  private readonly frame: HTMLIFrameElement
  private readonly listener: Listener
  private readonly channel = new MessageChannel()
  /** What is to be kept. Each message has all of the data, so that the newest is enough. */
  private unsaved: Cmi | undefined
  /** What is on its way. */
  private sending: Cmi | undefined
  private autosave: ReturnType<typeof setTimeout> | undefined
  /** The page is gone, or about to be: only what the browser sends by itself still arrives. */
  private isGone = false

  constructor(launch: Launch, name: string, frame: HTMLIFrameElement, listener: Listener) {
    this.launch = launch
    this.name = name
    this.frame = frame
    this.listener = listener
    this.channel.port1.onmessage = ({ data }) => this.take(data)
    addEventListener("message", this.greet)
    addEventListener("online", this.save)
    addEventListener("pagehide", this.flush)
    document.addEventListener("visibilitychange", this.save)
  }

  /** The frame is being taken away. What the package tells as it goes is kept. */
  leave() {
    this.save()
    removeEventListener("message", this.greet)
    setTimeout(() => {
      this.channel.port1.close()
      removeEventListener("online", this.save)
      removeEventListener("pagehide", this.flush)
      document.removeEventListener("visibilitychange", this.save)
    }, FAREWELL_MS)
  }

  /** Hands the frame its data and its end of the channel, once. */
  private readonly greet = ({ data, origin, source }: MessageEvent) => {
    const { contentWindow } = this.frame
    const content = new URL(this.launch.launch_url).origin
    if (data !== READY || origin !== content || source === null || source !== contentWindow) return
    removeEventListener("message", this.greet)
    const start: Start = { type: "start", name: this.name, cmi: this.launch.cmi }
    contentWindow?.postMessage(start, content, [this.channel.port2])
  }

  private take(data: unknown) {
    const message = readMessage(data)
    if (!message) return
    if (message.type !== "closed") this.unsaved = message.cmi
    if (this.isGone) this.flush()
    else if (message.type !== "changed") this.save()
    else this.autosave ??= setTimeout(this.save, AUTOSAVE_MS)
    if (message.type === "closed") this.listener.onClosed()
  }

  /** Keeps what is not kept yet, one call after the other. What fails is tried again with the next message. */
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
      if (!toSignIn(error)) this.listener.onProblem(error)
    } finally {
      this.sending = undefined
    }
  }

  /** Has the browser send what is not kept yet, for the page is gone; what is on its way ends with the page. */
  private readonly flush = () => {
    this.isGone = true
    const cmi = this.unsaved ?? this.sending
    if (!cmi) return
    this.unsaved = undefined
    this.sending = undefined
    const { pathname, search } = new URL(this.launch.commit_url)
    const body = new Blob([JSON.stringify({ cmi })])
    const headers = { "content-type": "application/json", "idempotency-key": newKey() }
    const keepalive = body.size <= MAX_KEEPALIVE_BYTES
    fetch(`${pathname}${search}`, { method: "POST", headers, body, keepalive }).catch(() => undefined)
  }
}
