import type { Cmi, FromFrame, Start } from "./messages.ts"
import { READY } from "./messages.ts"

// The page that embeds a SCORM package, on the content origin. It provides the synchronous SCORM API from the data that
// the player sent, and passes changes to the player, which alone may call Lectern's API.

/** The part of a scorm-again runtime that is used here. */
interface Runtime {
  loadFromFlattenedJSON: (data: Start["cmi"]) => void
  renderCommitCMI: (isLast: boolean) => Cmi
  isInitialized: () => boolean
  on: (event: string, listener: () => void) => void
}

/** A SCORM version: its runtime, and the names that packages use. */
interface Version<End extends string> {
  Runtime: new (settings: object) => Runtime & Record<End, () => string>
  /** The property of `window` that packages look for. */
  globalName: string
  setEvent: string
  terminate: End
}

const LOG_LEVEL_NONE = 5
const COMMIT_SUCCESS = { result: "true", errorCode: 0 }

/** Runs the package of this page once the player has sent its data. */
export function runPackage<End extends string>({ Runtime, globalName, setEvent, terminate }: Version<End>) {
  const { player = "", package: url = "" } = document.documentElement.dataset
  addEventListener("message", function start({ origin, source, data, ports: [port] }: MessageEvent<Start>) {
    if (origin !== player || source !== parent || data.type !== "start" || !port) return
    removeEventListener("message", start)
    runWithData(data, (message) => port.postMessage(message))
  })
  parent.postMessage(READY, player)

  function runWithData({ name, cmi }: Start, send: (message: FromFrame) => void) {
    const runtime = new Runtime({
      // Any URL: commits go through the message channel.
      lmsCommitUrl: READY,
      httpService: {
        processHttpRequest: (_url: string, committed: Cmi) => {
          send({ type: "committed", cmi: committed })
          return COMMIT_SUCCESS
        },
        updateSettings: () => undefined,
      },
      selfReportSessionTime: true,
      logLevel: LOG_LEVEL_NONE,
    })
    runtime.loadFromFlattenedJSON(cmi)
    let isScheduled = false
    runtime.on(setEvent, () => {
      if (isScheduled) return
      isScheduled = true
      // One message for all values that the package sets at once.
      queueMicrotask(() => {
        isScheduled = false
        send({ type: "changed", cmi: runtime.renderCommitCMI(false) })
      })
    })
    Reflect.set(window, globalName, runtime)

    const frame = document.createElement("iframe")
    frame.title = name
    frame.allow = "autoplay; fullscreen"
    Object.assign(frame.style, { position: "fixed", inset: "0", width: "100%", height: "100%", border: "0" })
    frame.src = url
    document.title = name
    document.body.append(frame)

    /** Unloads the package while the player still listens: most packages end their session on unload. */
    function close() {
      if (!frame.isConnected) return
      frame.contentWindow?.dispatchEvent(new Event("beforeunload", { cancelable: true }))
      frame.remove()
      if (runtime.isInitialized()) runtime[terminate]()
      send({ type: "closed" })
    }
    addEventListener("beforeunload", close)
    addEventListener("pagehide", close)
  }
}
