import { t } from "../../messages/messages.ts"
import { Listing } from "../../ui/listing.tsx"
import { Page } from "../../ui/page.tsx"
import type { Column } from "../../ui/table.tsx"
import { State, stateName, WallTime } from "./parts.tsx"
import type { OwnClass } from "./upcoming.ts"

const STATES = ["Registered", "Attended", "No Show", "Cancelled"]

const columns = (): Column<OwnClass>[] => [
  {
    key: "title",
    title: t("learning:class"),
    sort: "title",
    render: ({ id, title }) => <a href={`/console/my-classes/${id}`}>{title}</a>,
  },
  { key: "start", title: t("learning:begins"), sort: "start", render: ({ start }) => <WallTime value={start} /> },
  { key: "end", title: t("learning:ends"), sort: "end", render: ({ end }) => <WallTime value={end} /> },
  { key: "location", title: t("learning:location"), render: ({ location }) => location || t("learning:online") },
  {
    key: "calendar",
    title: t("learning:calendar-file"),
    render: ({ title, add_calendar_link }) => (
      <a href={add_calendar_link} download aria-label={t("learning:calendar-file.of", { name: title })}>
        {t("download")}
      </a>
    ),
  },
  { key: "status", title: t("learning:state"), sort: "status", render: ({ status }) => <State of={status} /> },
]

/** The classes in which the caller holds a place. */
export default function MyClasses() {
  return (
    <Page title={t("nav.my-classes")}>
      <p class="quiet">{t("learning:class.clock")}</p>
      <Listing
        path="/api/users/enrolled-classes"
        caption={t("nav.my-classes")}
        columns={columns()}
        keyOf={({ id }) => id}
        filters={[
          {
            name: "status",
            label: t("learning:state"),
            options: STATES.map((value) => ({ value, label: stateName(value) })),
            toApi: (status) => [status],
          },
        ]}
        empty={t("learning:classes.none")}
      />
    </Page>
  )
}
