import { useState } from "preact/hooks"
import type { RecordOf } from "../../../client/index.ts"
import { api } from "../../api/client.ts"
import { useChange, useRead, useRecord } from "../../api/queries.ts"
import { number, t } from "../../messages/messages.ts"
import type { Choice } from "../../ui/choice.ts"
import { Confirm, Dialog } from "../../ui/dialog.tsx"
import { Loaded } from "../../ui/error-message.tsx"
import { Form, TextField } from "../../ui/form.tsx"
import { Listing } from "../../ui/listing.tsx"
import { Page } from "../../ui/page.tsx"
import { Picker } from "../../ui/picker.tsx"
import type { Column } from "../../ui/table.tsx"
import { Icon } from "./badge-icon.tsx"
import "./badges.css"

type Badge = RecordOf<"/api/badges/tabularlist">

const CHANGED = ["/api/badge"]
const MOST_POINTS = 1_000_000

interface BadgeFieldsProps {
  title?: string
  icon?: string
  points?: number
}

/** A badge's fields: one of the icons that come with the service, or the address of another. */
function BadgeFields({ title = "", icon = "", points = 0 }: BadgeFieldsProps) {
  const defaults = useRead("/api/badges/defaultBadgeLookUp")
  const [url, setUrl] = useState(icon)
  return (
    <>
      <TextField name="title" label={t("gamification:name")} defaultValue={title} required maxLength={100} />
      <Loaded of={defaults}>
        {(icons) => (
          <fieldset class="icons">
            <legend>{t("gamification:icon")}</legend>
            {icons.map(({ value, url: at }) => (
              <label key={value}>
                <input type="radio" name="icon" checked={url === at} onChange={() => setUrl(at)} />
                <img src={at} alt={value} width="40" height="40" />
              </label>
            ))}
          </fieldset>
        )}
      </Loaded>
      <TextField
        name="badgeIconUrl"
        label={t("gamification:icon.url")}
        hint={t("gamification:icon.hint")}
        value={url}
        onInput={(event) => setUrl(event.currentTarget.value)}
        required
        maxLength={2000}
      />
      <TextField
        name="points"
        label={t("gamification:points")}
        type="number"
        min={0}
        max={MOST_POINTS}
        defaultValue={points}
        required
      />
    </>
  )
}

function NewBadge({ onClose }: { onClose: () => void }) {
  const create = useChange({
    call: (body: { title: string; badgeIconUrl: string; points: number }) => api.POST("/api/badge/create", { body }),
    changes: CHANGED,
  })
  return (
    <Dialog title={t("gamification:badge.new")} onClose={onClose}>
      <Form
        submit={t("create")}
        onSubmit={async (values) => {
          await create.mutateAsync({
            title: values.text("title"),
            badgeIconUrl: values.text("badgeIconUrl"),
            points: values.number("points") ?? 0,
          })
          onClose()
        }}
      >
        <BadgeFields />
      </Form>
    </Dialog>
  )
}

function EditBadge({ id, onClose }: { id: number; onClose: () => void }) {
  const path = { params: { path: { id } } }
  const found = useRecord("/api/badge/{id}", path)
  const change = useChange({
    call: ({ version, ...body }: { title: string; badgeIconUrl: string; points: number; version: string }) =>
      api.PUT("/api/badge/{id}", { ...path, body, headers: { "If-Match": version } }),
    changes: CHANGED,
  })
  return (
    <Dialog title={t("gamification:badge.edit")} onClose={onClose}>
      <Loaded of={found}>
        {({ record, version }) => (
          <Form
            submit={t("save")}
            onSubmit={async (values) => {
              await change.mutateAsync({
                title: values.text("title"),
                badgeIconUrl: values.text("badgeIconUrl"),
                points: values.number("points") ?? 0,
                version,
              })
              onClose()
            }}
          >
            <BadgeFields title={record.title} icon={record.badgeIconUrl} points={record.points} />
          </Form>
        )}
      </Loaded>
    </Dialog>
  )
}

function Award({ badge, onClose }: { badge: Badge; onClose: () => void }) {
  const [chosen, choose] = useState<readonly Choice[]>([])
  const award = useChange({
    call: (user_ids: number[]) => api.POST("/api/badge/award", { body: { id: badge.id, user_ids } }),
    changes: ["/api/user/badges", "/api/user/leaderboard"],
  })
  return (
    <Dialog title={t("gamification:award.title", { badge: badge.title })} onClose={onClose}>
      <Form
        submit={t("gamification:award")}
        isReady={chosen.length > 0}
        onSubmit={async () => {
          await award.mutateAsync(chosen.map(({ id }) => id))
          onClose()
        }}
      >
        <p class="quiet">{t("gamification:award.hint", { points: number(badge.points) })}</p>
        <Picker
          name="user_ids"
          label={t("gamification:users")}
          path="/api/users/tabularlist"
          query={(text) => (text ? { search_param: { nameOrEmail: text } } : {})}
          choiceOf={({ id, first_name, last_name, email }) => ({ id, name: `${first_name} ${last_name} (${email})` })}
          chosen={chosen}
          onChoose={choose}
        />
      </Form>
    </Dialog>
  )
}

type Open = { act: "new" } | { act: "edit" | "award"; badge: Badge } | { act: "delete"; badges: readonly Badge[] }

/** The academy's badges. */
export default function Badges() {
  const [open, setOpen] = useState<Open>()
  const close = () => setOpen(undefined)
  const remove = useChange({
    call: (id: number[]) => api.POST("/api/badge/delete", { body: { id } }),
    changes: CHANGED,
  })
  const columns: Column<Badge>[] = [
    {
      key: "title",
      title: t("gamification:name"),
      sort: "title",
      render: ({ title, badgeIconUrl }) => (
        <span class="named">
          <Icon url={badgeIconUrl} />
          {title}
        </span>
      ),
    },
    {
      key: "points",
      title: t("gamification:points"),
      sort: "points",
      numeric: true,
      render: ({ points }) => number(points),
    },
    {
      key: "acts",
      title: t("gamification:actions"),
      render: (badge) => (
        <div class="actions">
          <button type="button" onClick={() => setOpen({ act: "award", badge })}>
            {t("gamification:award")} <span class="unseen">{badge.title}</span>
          </button>
          <button type="button" onClick={() => setOpen({ act: "edit", badge })}>
            {t("edit")} <span class="unseen">{badge.title}</span>
          </button>
        </div>
      ),
    },
  ]
  return (
    <Page
      title={t("gamification:badges")}
      actions={
        <>
          <a class="button" href="/console/badges/events">
            {t("gamification:events")}
          </a>
          <a class="button" href="/console/badges/leaderboard">
            {t("gamification:leaderboard")}
          </a>
          <button type="button" class="primary" onClick={() => setOpen({ act: "new" })}>
            {t("gamification:badge.new")}
          </button>
        </>
      }
    >
      <Listing
        path="/api/badges/tabularlist"
        caption={t("gamification:badges")}
        columns={columns}
        keyOf={({ id }) => id}
        nameOf={({ title }) => title}
        empty={t("gamification:badges.empty")}
        filters={[{ name: "title", label: t("gamification:name") }]}
        actions={(rows, clear) => (
          <>
            <button type="button" class="danger" onClick={() => setOpen({ act: "delete", badges: rows })}>
              {t("delete")}
            </button>
            {open?.act === "delete" && (
              <Confirm
                title={t("gamification:badge.delete")}
                confirm={t("delete")}
                onConfirm={async () => {
                  await remove.mutateAsync(open.badges.map(({ id }) => id))
                  clear()
                }}
                onClose={close}
              >
                <p>
                  {t("gamification:badge.delete.text", { names: open.badges.map(({ title }) => title).join(", ") })}
                </p>
                <p>{t("irreversible")}</p>
              </Confirm>
            )}
          </>
        )}
      />
      {open?.act === "new" && <NewBadge onClose={close} />}
      {open?.act === "edit" && <EditBadge id={open.badge.id} onClose={close} />}
      {open?.act === "award" && <Award badge={open.badge} onClose={close} />}
    </Page>
  )
}
