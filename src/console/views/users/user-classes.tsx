import { CalendarDays } from "lucide-preact"
import { t } from "../../messages/messages.ts"
import { Listing } from "../../ui/listing.tsx"
import { Time } from "../../ui/time.tsx"
import { WallTime } from "../../ui/wall-time.tsx"
import { attendanceLabel } from "../classes/attendance-select.tsx"

/** The classes of a user. */
const UserClasses = ({ id }: { id: number }) => (
  <Listing
    path="/api/users/enrolled-classes"
    empty={{ icon: CalendarDays, text: t("users:classes.none"), action: { label: t("nav.classes"), href: "/classes" } }}
    caption={t("users:classes")}
    keyOf={(row) => row.id}
    query={{ user_id: id }}
    columns={[
      { key: "title", title: t("users:class"), sort: "title", render: ({ title }) => title },
      {
        key: "start",
        title: t("users:start"),
        sort: "start",
        render: ({ start, timeZone }) => <WallTime value={start} zone={timeZone} />,
      },
      {
        key: "end",
        title: t("users:end"),
        sort: "end",
        render: ({ end, timeZone }) => <WallTime value={end} zone={timeZone} />,
      },
      { key: "location", title: t("users:location"), render: ({ location }) => location || t("none") },
      { key: "instructor", title: t("users:instructor"), render: ({ instructor }) => instructor || t("none") },
      { key: "status", title: t("users:status"), sort: "status", render: ({ status }) => attendanceLabel(status) },
      {
        key: "registered",
        title: t("users:enrolled-on"),
        sort: "registered_on",
        render: ({ registered_on }) => <Time value={registered_on} />,
      },
    ]}
  />
)

export default UserClasses
