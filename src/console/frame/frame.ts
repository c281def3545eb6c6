import type { Cmi, FromFrame, Start } from "./messages.ts"
import { READY } from "./messages.ts"

// The page around a package, on the origin of packages. The package finds the run-time interface here, which answers at
// once, as SCORM has it: from the data that the player sent along. What is to be kept goes to the player, which alone
// may call the API.

/** What is used of a run-time of scorm-again. */
interface Runtime {
  loadFromFlattenedJSON: (data: Start["cmi"]) => void
  renderCommitCMI: (isLast: boolean) => Cmi
  isInitialized: () => boolean
  on: (event: string, listener: () => void) => void
}

/** A version of SCORM: its run-time, and what packages look for and call. */
interface Version<End extends string> {
  Runtime: new (settings: object) => Runtime & Record<End, () => string>
  /** The window's member that packages look for. */
  member: string
  set: string
  end: End
}

const SILENT = 5
const DONE = { result: "true", errorCode: 0 }

/** Runs the package that the page names, once the player has sent its data. */
export function runPackage<End extends string>({ Runtime, member, set, end }: Version<End>) {
  const { player = "", package: url = "" } = document.documentElement.dataset
  addEventListener("message", function start({ origin, source, data, ports: [port] }: MessageEvent<Start>) {
    if (origin !== player || source !== parent || data.type !== "start" || !port) return
    removeEventListener("message", start)
    begin(data, (message) => port.postMessage(message))
  })
  parent.postMessage(READY, player)

  function begin({ name, cmi }: Start, tell: (message: FromFrame) => void) {
    const runtime = new Runtime({
      // Any URL: what is committed goes through the channel, and counts as done.
      lmsCommitUrl: READY,
      httpService: {
        processHttpRequest: (_url: string, committed: Cmi) => {
          tell({ type: "committed", cmi: committed })
          return DONE
        },
        updateSettings: () => undefined,
      },
      selfReportSessionTime: true,
      logLevel: SILENT,
    })
    runtime.loadFromFlattenedJSON(cmi)
    let isTold = true
    runtime.on(set, () => {
      if (!isTold) return
      isTold = false
      // Once for all that the package sets in one go.
      queueMicrotask(() => {
        isTold = true
        tell({ type: "changed", cmi: runtime.renderCommitCMI(false) })
      })
    })
    Reflect.set(window, member, runtime)

    const frame = document.createElement("iframe")
    frame.title = name
    frame.allow = "autoplay; fullscreen"
    Object.assign(frame.style, { position: "fixed", inset: "0", width: "100%", height: "100%", border: "0" })
    frame.src = url
    document.title = name
    document.body.append(frame)

    /**
     * Takes the package away while the player still listens: what packages do as they unload, and most end their
     * session there, would otherwise come when the page around them is gone.
     */
    function close() {
      if (!frame.isConnected) return
      frame.contentWindow?.dispatchEvent(new Event("beforeunload", { cancelable: true }))
      frame.remove()
      if (runtime.isInitialized()) runtime[end]()
      tell({ type: "closed" })
    }
    addEventListener("beforeunload", close)
    addEventListener("pagehide", close)
  }
}
