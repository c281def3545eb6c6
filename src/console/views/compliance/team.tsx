import { UsersRound } from "lucide-preact"
import type { RecordOf } from "../../../client/index.ts"
import { hasAccess, useMe } from "../../api/me.tsx"
import { number, t } from "../../messages/messages.ts"
import { EmptyState } from "../../ui/empty-state.tsx"
import { Listing } from "../../ui/listing.tsx"
import { Page } from "../../ui/page.tsx"
import type { Column } from "../../ui/table.tsx"
import { useUrlState } from "../../ui/url-state.ts"
import { GroupFilter } from "../reports/group-filter.tsx"
import { TeamExport } from "./due-export.tsx"
import { dueStatusLabel } from "./statuses.tsx"

type Row = RecordOf<"/api/due/team">

const COUNTS = [
  ["overdue", "overdue"],
  ["due_soon", "dueSoon"],
  ["on_track", "onTrack"],
] as const

const columns = (): Column<Row>[] => [
  {
    key: "name",
    title: t("compliance:person"),
    sort: "name",
    render: ({ user_id, name }) => <a href={`/console/users/${user_id}?tab=transcript`}>{name}</a>,
  },
  { key: "email", title: t("compliance:email"), sort: "email", render: ({ email }) => email },
  ...COUNTS.map(
    ([status, count]): Column<Row> => ({
      key: status,
      title: dueStatusLabel(status),
      numeric: true,
      ...(count !== "onTrack" && { sort: count }),
      // Zero has no link: its list would be empty.
      render: (row) =>
        row[count] === 0 ? (
          <span class="quiet">{number(0)}</span>
        ) : (
          <a
            href={`/console/due?dueStatus=${status}&nameOrEmail=${encodeURIComponent(row.email)}`}
            aria-label={t("compliance:team.count", {
              name: row.name,
              status: dueStatusLabel(status),
              shown: number(row[count]),
            })}
          >
            {number(row[count])}
          </a>
        ),
    }),
  ),
]

/** The people that a supervisor sees, or of the group that staff select, most overdue first. */
export default function Team() {
  const needsGroup = hasAccess(useMe(), "staff")
  const { query } = useUrlState()
  const groupId = Number(query.group) || undefined
  const isSelected = groupId !== undefined || !needsGroup
  return (
    <Page title={t("nav.team")} actions={isSelected && <TeamExport groupId={groupId} />}>
      <search class="filters">
        <GroupFilter label={t("compliance:team.group")} groupId={groupId} />
      </search>
      {isSelected ? (
        <Listing
          path="/api/due/team"
          caption={t("nav.team")}
          columns={columns()}
          query={groupId === undefined ? {} : { group_id: groupId }}
          keyOf={({ user_id }) => user_id}
          empty={{
            icon: UsersRound,
            text: t("compliance:team.empty"),
            action: { label: t("nav.groups"), href: groupId === undefined ? "/groups" : `/groups/${groupId}` },
          }}
        >
          {() => <p class="quiet">{t("compliance:team.about")}</p>}
        </Listing>
      ) : (
        <EmptyState
          icon={UsersRound}
          text={t("compliance:team.choose")}
          action={{ label: t("nav.groups"), href: "/groups" }}
        />
      )}
    </Page>
  )
}
