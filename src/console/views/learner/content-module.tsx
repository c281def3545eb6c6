import { useEffect, useMemo, useRef, useState } from "preact/hooks"
import { api } from "../../api/client.ts"
import { useChange, useRead } from "../../api/queries.ts"
import { useStore } from "../../api/store.ts"
import { t } from "../../messages/messages.ts"
import { Loaded, Problem } from "../../ui/error-message.tsx"
import { RichText } from "../../ui/rich-text.tsx"
import { isOwn, loadable } from "../../ui/safe-url.ts"
import type { ModuleProps } from "./module-props.ts"
import { duration, PROGRESS } from "./shared.tsx"
import { type TimeSpent, useTimeSpent } from "./time-spent.ts"

/** How long the learner has been at the module, and how long they are to be. */
function Spent({ time, before, least }: { time: TimeSpent; before: number; least: number }) {
  const { seconds } = useStore(time.spent)
  const all = before + seconds
  return (
    <p class="quiet">
      {t("learner:spent", { time: duration(all) })}{" "}
      {least > all && t("learner:minimum-time", { time: duration(least - all) })}
    </p>
  )
}

/** A film: in place where it is of this site, which alone the page's policy lets play; else a link to it. */
function Film({ url, seconds, time }: { url: string; seconds: number; time: TimeSpent }) {
  const left = useRef<number>()
  useEffect(() => {
    const back = () => {
      if (document.visibilityState !== "visible" || left.current === undefined) return
      const away = Math.round((Date.now() - left.current) / 1000)
      left.current = undefined
      time.add(seconds > 0 ? Math.min(away, seconds) : away)
    }
    document.addEventListener("visibilitychange", back)
    return () => document.removeEventListener("visibilitychange", back)
  }, [])
  if (isOwn(url))
    // biome-ignore lint/a11y/useMediaCaption: the API has no captions of a film
    return <video class="film" controls src={loadable(url)} onTimeUpdate={time.act} />
  return (
    <p>
      <a
        class="button"
        href={url}
        target="_blank"
        rel="noreferrer"
        onClick={() => {
          left.current = Date.now()
        }}
      >
        {t("learner:watch")}
      </a>{" "}
      {seconds > 0 && <span class="quiet">{duration(seconds)}</span>}
    </p>
  )
}

/** A text to read or a film to watch. Coming to it opens it; the learner says when they are done. */
export function ReadingModule({ registrationId, module, minTimeSpent }: ModuleProps) {
  const moduleId = module.module_id
  const [error, setError] = useState<unknown>()
  const isOpen = module.status_row_id !== -1
  const isDone = module.status === "Completed"
  const open = useChange({
    call: () => api.POST("/api/module/progress", { body: { registrationId, moduleId } }),
    changes: PROGRESS,
    done: "",
  })
  const complete = useChange({
    call: (timeSpent: number) =>
      api.POST("/api/module/progress", { body: { registrationId, moduleId, timeSpent, status: "Completed" } }),
    changes: PROGRESS,
    done: t("learner:completed", { module: module.name }),
  })
  useEffect(() => {
    if (!isOpen) open.mutateAsync(undefined).catch(setError)
  }, [isOpen])
  const time = useTimeSpent({ registrationId, moduleId }, isOpen && !isDone)
  const init = { params: { path: { id: moduleId } } }
  const text = useRead("/api/modules/text/{id}", init, { enabled: isOpen && module.type === "text" })
  const film = useRead("/api/modules/video/{id}", init, { enabled: isOpen && module.type === "video" })
  const content = module.type === "text" ? text : film
  const html = content.data?.content
  const body = useMemo(() => html !== undefined && <RichText html={html} />, [html])
  const finish = async () => {
    const seconds = time.take()
    setError(undefined)
    try {
      await complete.mutateAsync(seconds)
    } catch (failure) {
      time.giveBack(seconds)
      setError(failure)
    }
  }
  const before = module.total_time_spent === "" ? 0 : module.total_time_spent.totalSeconds
  return (
    <>
      {!error && !content.data && <Loaded of={content}>{() => null}</Loaded>}
      {body}
      {film.data?.videoUrl && <Film url={film.data.videoUrl} seconds={film.data.videoSeconds} time={time} />}
      <Problem error={error} />
      {isDone ? (
        <p class="quiet">{t("learner:spent", { time: duration(before) })}</p>
      ) : (
        content.data && (
          <>
            <Spent time={time} before={before} least={minTimeSpent} />
            <button type="button" class="primary" disabled={complete.isPending} onClick={finish}>
              {complete.isPending ? t("working") : t("learner:complete")}
            </button>
          </>
        )
      )}
    </>
  )
}
