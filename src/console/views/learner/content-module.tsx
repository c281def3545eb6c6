import { useEffect, useMemo, useRef, useState } from "preact/hooks"
import { api } from "../../api/client.ts"
import { useChange, useRead } from "../../api/queries.ts"
import { useStore } from "../../api/store.ts"
import { t } from "../../messages/messages.ts"
import { ErrorMessage, Loaded } from "../../ui/error-message.tsx"
import { toEmbedUrl } from "../../ui/media/embed-url.ts"
import { EmbeddedVideo, MediaPlayer } from "../../ui/media/media-player.tsx"
import { RichText } from "../../ui/rich-text.tsx"
import { isSameOrigin, safeUrl } from "../../ui/safe-url.ts"
import type { ModuleProps } from "./module-props.ts"
import { formatDuration, PROGRESS_QUERIES } from "./shared.tsx"
import { type TimeSpent, useTimeSpent } from "./time-spent.ts"

/** Time spent in the module, and how much more is required. */
function TimeStatus({
  time,
  earlierSeconds,
  minSeconds,
}: {
  time: TimeSpent
  earlierSeconds: number
  minSeconds: number
}) {
  const { seconds } = useStore(time.spent)
  const total = earlierSeconds + seconds
  return (
    <p class="quiet">
      {t("learner:spent", { time: formatDuration(total) })}{" "}
      {minSeconds > total && t("learner:minimum-time", { time: formatDuration(minSeconds - total) })}
    </p>
  )
}

/** A video of this site, YouTube or Vimeo in a player; for others, which the content security policy blocks, a link. */
function Video({ url, seconds, time }: { url: string; seconds: number; time: TimeSpent }) {
  const leftAt = useRef<number>()
  useEffect(() => {
    const onReturn = () => {
      if (document.visibilityState !== "visible" || leftAt.current === undefined) return
      const secondsAway = Math.round((Date.now() - leftAt.current) / 1000)
      leftAt.current = undefined
      time.add(seconds > 0 ? Math.min(secondsAway, seconds) : secondsAway)
    }
    document.addEventListener("visibilitychange", onReturn)
    return () => document.removeEventListener("visibilitychange", onReturn)
  }, [])
  const embedUrl = toEmbedUrl(url)
  if (embedUrl) return <EmbeddedVideo src={embedUrl} onActive={time.markActive} />
  if (isSameOrigin(url))
    // biome-ignore lint/a11y/useMediaCaption: only files of the media library have captions
    return <video class="video" controls src={safeUrl(url)} onTimeUpdate={time.markActive} />
  return (
    <p>
      <a
        class="button"
        href={url}
        target="_blank"
        rel="noreferrer"
        onClick={() => {
          leftAt.current = Date.now()
        }}
      >
        {t("learner:watch")}
      </a>{" "}
      {seconds > 0 && <span class="quiet">{formatDuration(seconds)}</span>}
    </p>
  )
}

/** A text or video module. Showing it starts it; the learner marks it as complete. */
export function ContentModule({ registrationId, module, minTimeSpent }: ModuleProps) {
  const moduleId = module.module_id
  const [error, setError] = useState<unknown>()
  const isOpen = module.status_row_id !== -1
  const isDone = module.status === "Completed"
  const open = useChange({
    call: () => api.POST("/api/module/progress", { body: { registrationId, moduleId } }),
    invalidates: PROGRESS_QUERIES,
    successMessage: "",
  })
  const complete = useChange({
    call: (timeSpent: number) =>
      api.POST("/api/module/progress", { body: { registrationId, moduleId, timeSpent, status: "Completed" } }),
    invalidates: PROGRESS_QUERIES,
    successMessage: t("learner:completed", { module: module.name }),
  })
  useEffect(() => {
    if (!isOpen) open.mutateAsync(undefined).catch(setError)
  }, [isOpen])
  const time = useTimeSpent({ registrationId, moduleId }, isOpen && !isDone)
  const init = { params: { path: { id: moduleId } } }
  const text = useRead("/api/modules/text/{id}", init, { enabled: isOpen && module.type === "text" })
  const video = useRead("/api/modules/video/{id}", init, { enabled: isOpen && module.type === "video" })
  const content = module.type === "text" ? text : video
  const html = content.data?.content
  const body = useMemo(() => html !== undefined && <RichText html={html} />, [html])
  const markComplete = async () => {
    const seconds = time.takeUnsent()
    setError(undefined)
    try {
      await complete.mutateAsync(seconds)
    } catch (failure) {
      time.restoreUnsent(seconds)
      setError(failure)
    }
  }
  const earlierSeconds = module.total_time_spent === "" ? 0 : module.total_time_spent.totalSeconds
  return (
    <>
      {!error && !content.data && <Loaded query={content}>{() => null}</Loaded>}
      {body}
      {video.data?.media && <MediaPlayer media={video.data.media} onActive={time.markActive} />}
      {video.data?.videoUrl && !video.data.media && (
        <Video url={video.data.videoUrl} seconds={video.data.videoSeconds} time={time} />
      )}
      <ErrorMessage error={error} />
      {isDone ? (
        <p class="quiet">{t("learner:spent", { time: formatDuration(earlierSeconds) })}</p>
      ) : (
        content.data && (
          <>
            <TimeStatus time={time} earlierSeconds={earlierSeconds} minSeconds={minTimeSpent} />
            <button type="button" class="primary" disabled={complete.isPending} onClick={markComplete}>
              {complete.isPending ? t("working") : t("learner:complete")}
            </button>
          </>
        )
      )}
    </>
  )
}
