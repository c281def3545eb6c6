import { useQueryClient } from "@tanstack/preact-query"
import { useEffect, useState } from "preact/hooks"
import type { DataOf } from "../../../client/index.ts"
import { api } from "../../api/client.ts"
import { may, useMe } from "../../api/me.tsx"
import { number, t } from "../../messages/messages.ts"
import { Problem } from "../../ui/problem.tsx"
import type { ModuleProps } from "./module.ts"
import { PROGRESS } from "./parts.tsx"

type Launch = DataOf<"/api/scorm/launch", "get">

/** What a package finds in the windows around it, and talks with. */
interface Runtime {
  loadFromFlattenedJSON: (data: Launch["cmi"]) => void
  on: (event: string, listener: () => void) => void
}
type RuntimeOf<End extends string> = new (settings: object) => Runtime & Record<End, () => string>

const SILENT = 5

/** The run-time of the package's version, which commits by itself. Its types name what it exports otherwise. */
async function runtimeOf(launch: Launch) {
  const settings = {
    lmsCommitUrl: launch.commit_url,
    useAsynchronousCommits: false,
    terminationCommitContentType: "application/json",
    asyncModeBeaconBehavior: "never",
    selfReportSessionTime: true,
    logLevel: SILENT,
  }
  if (launch.version === "1.2") {
    const exported: object = await import("scorm-again/scorm12/min")
    const { Scorm12API } = exported as { Scorm12API: RuntimeOf<"LMSFinish"> }
    const runtime = new Scorm12API(settings)
    return { member: "API", runtime, commits: ["LMSCommit", "LMSFinish"], end: () => runtime.LMSFinish() }
  }
  const exported: object = await import("scorm-again/scorm2004/min")
  const { Scorm2004API } = exported as { Scorm2004API: RuntimeOf<"Terminate"> }
  const runtime = new Scorm2004API(settings)
  return { member: "API_1484_11", runtime, commits: ["Commit", "Terminate"], end: () => runtime.Terminate() }
}

/** The package in a frame, with its run-time in this window. Leaving ends the session. */
function Player({ launch, name, onCommit }: { launch: Launch; name: string; onCommit: () => void }) {
  const [ready, setReady] = useState(false)
  const [error, setError] = useState<unknown>()
  useEffect(() => {
    let leave: () => void = () => undefined
    let gone = false
    runtimeOf(launch).then(({ member, runtime, commits, end }) => {
      if (gone) return
      runtime.loadFromFlattenedJSON(launch.cmi)
      for (const event of commits) runtime.on(event, onCommit)
      Reflect.set(window, member, runtime)
      leave = () => {
        end()
        Reflect.deleteProperty(window, member)
      }
      setReady(true)
    }, setError)
    return () => {
      gone = true
      leave()
    }
  }, [launch])
  return (
    <>
      <Problem error={error} />
      {ready && <iframe class="package" src={launch.launch_url} title={name} />}
    </>
  )
}

/** A SCORM package. It runs as whoever opens it, with what they may do: staff try it as a learner. */
export function ScormModule({ registrationId, module }: ModuleProps) {
  const me = useMe()
  const client = useQueryClient()
  const [launch, setLaunch] = useState<Launch>()
  const [error, setError] = useState<unknown>()
  if (may(me, "staff")) return <p>{t("learning:package.staff")}</p>
  const again = () =>
    client.invalidateQueries({ predicate: ({ queryKey: [path] }) => PROGRESS.some((one) => one === path) })
  const start = async () => {
    setError(undefined)
    try {
      const query = { registrationId, moduleId: module.module_id }
      setLaunch((await api.GET("/api/scorm/launch", { params: { query } })).data)
    } catch (failure) {
      setError(failure)
    }
  }
  return (
    <>
      {module.points_awarded !== null && (
        <p>{t("learning:quiz.best", { count: module.points_awarded, shown: number(module.points_awarded) })}</p>
      )}
      <Problem error={error} />
      {launch ? (
        <Player launch={launch} name={module.name} onCommit={again} />
      ) : (
        <button type="button" class="primary" onClick={start}>
          {t("learning:package.start")}
        </button>
      )}
    </>
  )
}
