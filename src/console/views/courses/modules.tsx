import { Library } from "lucide-preact"
import type { RecordOf } from "../../../client/index.ts"
import { number, t } from "../../messages/messages.ts"
import { Listing } from "../../ui/listing.tsx"
import { Page } from "../../ui/page.tsx"
import type { Column } from "../../ui/table.tsx"
import { Time } from "../../ui/time.tsx"
import { UrlSelect } from "../../ui/url-select.tsx"
import { useUrlState } from "../../ui/url-state.ts"
import { isModuleType, labelFor, MODULE_TYPES, optionsFor } from "./labels.ts"

type Module = RecordOf<"/api/modules/text">

const columns = (): Column<Module>[] => [
  {
    key: "name",
    title: t("courses:name"),
    sort: "name",
    render: ({ id, name, type }) => <a href={`/console/modules/${type}/${id}`}>{name}</a>,
  },
  {
    key: "courses",
    title: t("courses:courses.title"),
    numeric: true,
    sort: "course_count",
    render: ({ course_count }) => number(course_count),
  },
  { key: "locked", title: t("courses:locked"), render: ({ isLocked }) => (isLocked ? t("yes") : t("no")) },
  { key: "author", title: t("courses:author"), render: ({ author }) => author },
  {
    key: "created",
    title: t("courses:created"),
    sort: "created_at",
    render: ({ created_at }) => <Time value={created_at} />,
  },
]

/** All modules by type. */
export default function Modules() {
  const { query } = useUrlState()
  const type = isModuleType(query.tab) ? query.tab : "text"
  return (
    <Page
      title={t("courses:modules.title")}
      actions={
        <a class="button primary" href={`/console/modules/${type}/new`}>
          {t("courses:modules.new-of-type", { type: labelFor("type", type) })}
        </a>
      }
    >
      <Listing
        path={`/api/modules/${type}`}
        caption={labelFor("type", type)}
        columns={columns()}
        keyOf={({ id }) => id}
        empty={{
          icon: Library,
          text: t("courses:modules.empty"),
          action: {
            label: t("courses:modules.new-of-type", { type: labelFor("type", type) }),
            href: `/modules/${type}/new`,
          },
        }}
        filters={[
          { name: "moduleName", label: t("courses:modules.search") },
          { name: "associatedCourse", label: t("courses:courses.search") },
        ]}
        ownFilters={{
          names: [],
          fields: (
            <UrlSelect name="tab" label={t("courses:type")} value={type} options={optionsFor("type", MODULE_TYPES)} />
          ),
        }}
      />
    </Page>
  )
}
