import { useQueryClient } from "@tanstack/preact-query"
import { Maximize2, Minimize2 } from "lucide-preact"
import type { RefObject } from "preact"
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks"
import { api } from "../../api/client.ts"
import { number, t } from "../../messages/messages.ts"
import { ErrorMessage } from "../../ui/error-message.tsx"
import type { ModuleProps } from "./module-props.ts"
import { type Launch, PackageSession } from "./scorm-session.ts"
import { PROGRESS_QUERIES } from "./shared.tsx"

interface PlayerProps {
  launch: Launch
  name: string
  onSaved: () => void
  onClosed: () => void
}

/**
 * Whether an element fills the screen, or the window where the browser has no full screen, such as on an iPhone. On a
 * phone it does so at once.
 */
function useFullScreen(stage: RefObject<HTMLElement>) {
  const [isFull, setIsFull] = useState(() => matchMedia("(max-width: 48rem)").matches)
  useEffect(() => {
    const onChange = () => document.fullscreenElement ?? setIsFull(false)
    document.addEventListener("fullscreenchange", onChange)
    return () => document.removeEventListener("fullscreenchange", onChange)
  }, [])
  const setFull = (full: boolean) => {
    setIsFull(full)
    if (full) stage.current?.requestFullscreen?.().catch(() => undefined)
    else if (document.fullscreenElement) document.exitFullscreen().catch(() => undefined)
  }
  return [isFull, setFull] as const
}

/** The package in a sandboxed frame of another origin. Unmounting ends the session. */
function Player({ launch, name, onSaved, onClosed }: PlayerProps) {
  const frame = useRef<HTMLIFrameElement>(null)
  const stage = useRef<HTMLDivElement>(null)
  const [error, setError] = useState<unknown>()
  const [isFull, setFull] = useFullScreen(stage)
  useLayoutEffect(() => {
    if (!frame.current) return
    const session = new PackageSession(launch, name, frame.current, { onSaved, onProblem: setError, onClosed })
    return () => session.close()
  }, [launch])
  return (
    <>
      <ErrorMessage error={error} />
      <div class={isFull ? "package-stage full" : "package-stage"} ref={stage}>
        <p class="actions">
          <button type="button" class="with-icon" onClick={() => setFull(!isFull)}>
            {isFull ? <Minimize2 size={18} aria-hidden /> : <Maximize2 size={18} aria-hidden />}{" "}
            {t(isFull ? "learner:package.exit-full-screen" : "learner:package.full-screen")}
          </button>
        </p>
        <iframe
          ref={frame}
          class="package"
          title={name}
          sandbox="allow-scripts allow-same-origin allow-forms allow-modals allow-downloads"
          allow="autoplay; fullscreen"
          src={launch.launch_url}
        />
      </div>
    </>
  )
}

export default function ScormModule({ registrationId, module }: ModuleProps) {
  const client = useQueryClient()
  const [launch, setLaunch] = useState<Launch>()
  const [error, setError] = useState<unknown>()
  const [isBusy, setIsBusy] = useState(false)
  const refetchProgress = () =>
    client.invalidateQueries({
      predicate: ({ queryKey: [path] }) => PROGRESS_QUERIES.some((progressPath) => progressPath === path),
    })
  const start = async () => {
    setIsBusy(true)
    setError(undefined)
    try {
      const query = { registrationId, moduleId: module.module_id }
      setLaunch((await api.GET("/api/scorm/launch", { params: { query } })).data)
    } catch (failure) {
      setError(failure)
    } finally {
      setIsBusy(false)
    }
  }
  return (
    <>
      {module.points_awarded !== null && (
        <p>{t("learner:best-score", { count: module.points_awarded, shown: number(module.points_awarded) })}</p>
      )}
      <ErrorMessage error={error} />
      {launch ? (
        <Player launch={launch} name={module.name} onSaved={refetchProgress} onClosed={() => setLaunch(undefined)} />
      ) : (
        <button type="button" class="primary" disabled={isBusy} onClick={start}>
          {isBusy ? t("working") : t("learner:package.start")}
        </button>
      )}
    </>
  )
}
