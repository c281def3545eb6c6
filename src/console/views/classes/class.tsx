import { useState } from "preact/hooks"
import { useRoute } from "preact-iso"
import { api } from "../../api/client.ts"
import { hasAccess, useMe } from "../../api/me.tsx"
import { invalidatePaths, useChange, useRead } from "../../api/queries.ts"
import { t } from "../../messages/messages.ts"
import { ConfirmDialog } from "../../ui/dialog.tsx"
import { Loaded } from "../../ui/error-message.tsx"
import { Page } from "../../ui/page.tsx"
import { Tabs } from "../../ui/tabs.tsx"
import { Time } from "../../ui/time.tsx"
import { useNavigate, useUrlState } from "../../ui/url-state.ts"
import { ClassAttendance } from "../teaching/tabs.ts"
import { ClassAttendees } from "./class-attendees.tsx"
import { ClassMaterials } from "./class-materials.tsx"
import { ClassOverview } from "./class-overview.tsx"
import { ClassRecordings } from "./class-recordings.tsx"
import { MAX_SESSIONS } from "./class-tab.ts"

const TABS = {
  overview: ClassOverview,
  attendance: ClassAttendance,
  students: ClassAttendees,
  material: ClassMaterials,
  recordings: ClassRecordings,
} as const
const TAB_NAMES = ["overview", "attendance", "students", "material", "recordings"] as const

/** The lists that have a class, without what its own page reads. */
const AFFECTED_LISTS = [
  "/api/class/get-class-schedules",
  "/api/class/tabularlist",
  "/api/users/enrolled-classes",
  "/api/user/class",
]

function ClassActions({ id, course, onDeleted }: { id: number; course: string; onDeleted: () => void }) {
  const go = useNavigate()
  const [isConfirming, setIsConfirming] = useState(false)
  const remove = useChange({
    call: () => api.POST("/api/class/delete", { body: { classId: id } }),
    invalidates: [],
  })
  return (
    <>
      <a class="button" href={`/console/classes/${id}/edit`}>
        {t("edit")}
      </a>
      <button type="button" class="danger" onClick={() => setIsConfirming(true)}>
        {t("delete")}
      </button>
      {isConfirming && (
        <ConfirmDialog
          title={t("classes:class.delete")}
          confirm={t("delete")}
          onClose={() => setIsConfirming(false)}
          onConfirm={async () => {
            await remove.mutateAsync(undefined)
            onDeleted()
            go("/classes")
            await invalidatePaths(AFFECTED_LISTS)
          }}
        >
          <p>{t("classes:class.delete.text", { course })}</p>
          <p>{t("irreversible")}</p>
        </ConfirmDialog>
      )}
    </>
  )
}

export default function Class() {
  const me = useMe()
  const id = Number(useRoute().params.id)
  const { query } = useUrlState()
  const open = TAB_NAMES.find((name) => name === query.tab) ?? "overview"
  const Tab = TABS[open]
  // After the deletion the tabs must not refetch while the next view loads.
  const [isDeleted, setIsDeleted] = useState(false)
  const schedule = useRead("/api/class/get-class-schedules", {
    params: { query: { classId: id, page_size: MAX_SESSIONS } },
  })
  const parent = { href: "/console/classes", label: t("nav.classes") }
  return (
    <Loaded query={schedule} parent={parent}>
      {({ classes: sessions }) => {
        const [first] = sessions
        if (!first)
          return (
            <Page title={t("not-found.title")} parent={parent}>
              <p>{t("not-found.text")}</p>
            </Page>
          )
        return (
          <Page
            title={first.course_name}
            parent={parent}
            actions={
              hasAccess(me, "staff") && (
                <ClassActions id={id} course={first.course_name} onDeleted={() => setIsDeleted(true)} />
              )
            }
          >
            <p>
              <Time value={first.start_time} />
              {first.location && `, ${first.location}`}
            </p>
            <Tabs
              label={first.course_name}
              open={open}
              tabs={TAB_NAMES.map((name) => ({ name, title: t(`classes:tab.${name}`) }))}
            />
            {!isDeleted && <Tab key={id} id={id} sessions={sessions} first={first} />}
          </Page>
        )
      }}
    </Loaded>
  )
}
