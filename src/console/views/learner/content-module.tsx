import { useEffect, useMemo, useRef, useState } from "preact/hooks"
import { announce } from "../../api/announce.ts"
import { api, redirectToSignIn } from "../../api/client.ts"
import { reportProgress } from "../../api/offline/progress-queue.ts"
import { invalidatePaths, useChange, useRead } from "../../api/queries.ts"
import { useStore } from "../../api/store.ts"
import { t } from "../../messages/messages.ts"
import { formatDuration, formatTimeLeft } from "../../ui/duration.ts"
import { ErrorMessage, Loaded } from "../../ui/error-message.tsx"
import { toEmbedUrl } from "../../ui/media/embed-url.ts"
import { EmbeddedVideo, MediaPlayer } from "../../ui/media/media-player.tsx"
import { RichText } from "../../ui/rich-text.tsx"
import { isSameOrigin, safeUrl } from "../../ui/safe-url.ts"
import type { ModuleProps } from "./module-props.ts"
import { OfflineNotice } from "./offline-notice.tsx"
import { PROGRESS_QUERIES } from "./shared.tsx"
import { type TimeSpent, useTimeSpent } from "./time-spent.ts"

/** Time spent in the module, and how much more is required. */
const TimeStatus = ({ seconds, missing }: { seconds: number; missing: number }) => (
  <p class="quiet">
    {t("learner:spent", { time: formatDuration(seconds) })}{" "}
    {missing > 0 && <span id="missing-time">{t("learner:minimum-time", { time: formatTimeLeft(missing) })}</span>}
  </p>
)

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
export function ContentModule({ registrationId, module, minTimeSpent, isLast, navigation, onCompleted }: ModuleProps) {
  const moduleId = module.module_id
  const [error, setError] = useState<unknown>()
  const [isCompleting, setIsCompleting] = useState(false)
  const isOpen = module.status_row_id !== -1
  const isDone = module.status === "Completed"
  const open = useChange({
    call: () => api.POST("/api/module/progress", { body: { registrationId, moduleId } }),
    invalidates: PROGRESS_QUERIES,
    successMessage: "",
  })
  useEffect(() => {
    if (!isOpen) open.mutateAsync(undefined).catch(setError)
  }, [isOpen])
  const time = useTimeSpent({ registrationId, moduleId }, isOpen && !isDone)
  const { seconds } = useStore(time.spent)
  const init = { params: { path: { id: moduleId } } }
  const text = useRead("/api/modules/text/{id}", init, { enabled: isOpen && module.type === "text" })
  const video = useRead("/api/modules/video/{id}", init, { enabled: isOpen && module.type === "video" })
  const content = module.type === "text" ? text : video
  const html = content.data?.content
  const body = useMemo(() => html !== undefined && <RichText html={html} />, [html])
  const complete = async () => {
    const timeSpent = time.takeUnsent()
    setError(undefined)
    setIsCompleting(true)
    try {
      const delivery = await reportProgress({ registrationId, moduleId, timeSpent, status: "Completed" })
      announce(t(delivery === "sent" ? "learner:completed" : "learner:completed.offline", { module: module.name }))
      if (delivery === "sent") await invalidatePaths(PROGRESS_QUERIES)
      onCompleted()
    } catch (failure) {
      if (!redirectToSignIn(failure)) setError(failure)
      time.restoreUnsent(timeSpent)
    } finally {
      setIsCompleting(false)
    }
  }
  const earlierSeconds = module.total_time_spent === "" ? 0 : module.total_time_spent.totalSeconds
  const missingSeconds = minTimeSpent - earlierSeconds - seconds
  const hasMedia = !!(video.data?.media || video.data?.videoUrl)
  return (
    <>
      {!error && !content.data && <Loaded query={content}>{() => null}</Loaded>}
      {!content.data && <OfflineNotice text={t("learner:offline.not-stored")} />}
      {hasMedia && <OfflineNotice text={t("learner:offline.video")} />}
      {body}
      {video.data?.media && <MediaPlayer media={video.data.media} onActive={time.markActive} />}
      {video.data?.videoUrl && !video.data.media && (
        <Video url={video.data.videoUrl} seconds={video.data.videoSeconds} time={time} />
      )}
      <ErrorMessage error={error} />
      {(content.data || isDone) && (
        <TimeStatus seconds={earlierSeconds + (isDone ? 0 : seconds)} missing={isDone ? 0 : missingSeconds} />
      )}
      {navigation(
        !isDone && content.data && (
          <button
            type="button"
            class="primary"
            disabled={isCompleting || missingSeconds > 0}
            aria-describedby={missingSeconds > 0 ? "missing-time" : undefined}
            onClick={complete}
          >
            {isCompleting ? t("working") : t(isLast ? "learner:complete" : "learner:complete-and-continue")}
          </button>
        ),
      )}
    </>
  )
}
