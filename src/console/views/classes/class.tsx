import { useState } from "preact/hooks"
import { useRoute } from "preact-iso"
import { api } from "../../api/client.ts"
import { may, useMe } from "../../api/me.tsx"
import { readAnew, useChange, useRead } from "../../api/queries.ts"
import { t } from "../../messages/messages.ts"
import { Confirm } from "../../ui/dialog.tsx"
import { Loaded } from "../../ui/error-message.tsx"
import { Page } from "../../ui/page.tsx"
import { Tabs } from "../../ui/tabs.tsx"
import { Time } from "../../ui/time.tsx"
import { useAddress, useGo } from "../../ui/url-state.ts"
import { ClassStudents } from "./class-attendees.tsx"
import { ClassMaterial } from "./class-materials.tsx"
import { ClassOverview } from "./class-overview.tsx"
import { ClassRecordings } from "./class-recordings.tsx"
import { MOST_SESSIONS } from "./class-tab.ts"

const PARTS = {
  overview: ClassOverview,
  students: ClassStudents,
  material: ClassMaterial,
  recordings: ClassRecordings,
} as const
const NAMES = ["overview", "students", "material", "recordings"] as const

/** What those can do with a class who may change it. */
function Acts({ id, course, onGone }: { id: number; course: string; onGone: () => void }) {
  const go = useGo()
  const [asks, setAsks] = useState(false)
  const remove = useChange({
    call: () => api.POST("/api/class/delete", { body: { classId: id } }),
    changes: [],
  })
  return (
    <>
      <a class="button" href={`/console/classes/${id}/edit`}>
        {t("edit")}
      </a>
      <button type="button" class="danger" onClick={() => setAsks(true)}>
        {t("delete")}
      </button>
      {asks && (
        <Confirm
          title={t("classes:class.delete")}
          confirm={t("delete")}
          onClose={() => setAsks(false)}
          onConfirm={async () => {
            await remove.mutateAsync(undefined)
            onGone()
            go("/classes")
            await readAnew(["/api/class/get-class-schedules", "/api/class/tabularlist"])
          }}
        >
          <p>{t("classes:class.delete.text", { course })}</p>
          <p>{t("irreversible")}</p>
        </Confirm>
      )}
    </>
  )
}

/** A class and all that belongs to it. */
export default function Class() {
  const me = useMe()
  const id = Number(useRoute().params.id)
  const { query } = useAddress()
  const open = NAMES.find((name) => name === query.tab) ?? "overview"
  const Open = PARTS[open]
  // Once it is deleted nothing of it is read, though it stays until the next view has come.
  const [gone, setGone] = useState(false)
  const read = useRead("/api/class/get-class-schedules", {
    params: { query: { classId: id, page_size: MOST_SESSIONS } },
  })
  return (
    <Loaded of={read}>
      {({ classes: sessions }) => {
        const [first] = sessions
        if (!first)
          return (
            <Page title={t("not-found.title")} within={{ href: "/console/classes", label: t("nav.classes") }}>
              <p>{t("not-found.text")}</p>
            </Page>
          )
        return (
          <Page
            title={first.course_name}
            within={{ href: "/console/classes", label: t("nav.classes") }}
            actions={may(me, "staff") && <Acts id={id} course={first.course_name} onGone={() => setGone(true)} />}
          >
            <p>
              <Time value={first.start_time} />
              {first.location && `, ${first.location}`}
            </p>
            <Tabs
              label={first.course_name}
              open={open}
              tabs={NAMES.map((name) => ({ name, title: t(`classes:tab.${name}`) }))}
            />
            {!gone && <Open key={id} id={id} sessions={sessions} first={first} />}
          </Page>
        )
      }}
    </Loaded>
  )
}
