import { Trophy } from "lucide-preact"
import { useState } from "preact/hooks"
import type { RecordOf } from "../../../client/index.ts"
import { api } from "../../api/client.ts"
import { useChange, useRead } from "../../api/queries.ts"
import { number, t } from "../../messages/messages.ts"
import type { Choice } from "../../ui/choice.ts"
import { Dialog } from "../../ui/dialog.tsx"
import { Loaded } from "../../ui/error-message.tsx"
import { Form, TextField, type Values } from "../../ui/form.tsx"
import { ChooseImage } from "../../ui/media/image-field.tsx"
import { Picker } from "../../ui/picker.tsx"
import { RecordsPage } from "../../ui/records-page.tsx"
import { BadgeIcon } from "./badge-icon.tsx"
import "./badges.css"

type Badge = RecordOf<"/api/badges/tabularlist">

const MAX_POINTS = 1_000_000

interface BadgeFieldsProps {
  title?: string
  icon?: string
  points?: number
}

/** The icon is one of the built-in icons or an image URL. */
function BadgeFields({ title = "", icon = "", points = 0 }: BadgeFieldsProps) {
  const defaults = useRead("/api/badges/defaultBadgeLookUp")
  const [url, setUrl] = useState(icon)
  return (
    <>
      <TextField name="title" label={t("name")} defaultValue={title} required maxLength={100} />
      <Loaded query={defaults}>
        {(icons) => (
          <fieldset class="icons">
            <legend>{t("gamification:icon")}</legend>
            {icons.map(({ value, url: iconUrl }) => (
              <label key={value}>
                <input type="radio" name="icon" checked={url === iconUrl} onChange={() => setUrl(iconUrl)} />
                <img src={iconUrl} alt={value} width="40" height="40" />
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
      <div class="actions">
        <ChooseImage onChoose={setUrl} />
      </div>
      <TextField
        name="points"
        label={t("gamification:points")}
        type="number"
        min={0}
        max={MAX_POINTS}
        defaultValue={points}
        required
      />
    </>
  )
}

function AwardDialog({ badge, onClose }: { badge: Badge; onClose: () => void }) {
  const [selected, setSelected] = useState<readonly Choice[]>([])
  const award = useChange({
    call: (user_ids: number[]) => api.POST("/api/badge/award", { body: { id: badge.id, user_ids } }),
    invalidates: ["/api/user/badges", "/api/user/leaderboard"],
  })
  return (
    <Dialog title={t("gamification:award.title", { badge: badge.title })} onClose={onClose}>
      <Form
        submit={t("gamification:award")}
        isReady={selected.length > 0}
        onSubmit={async () => {
          await award.mutateAsync(selected.map(({ id }) => id))
          onClose()
        }}
      >
        <p class="quiet">{t("gamification:award.hint", { points: number(badge.points) })}</p>
        <Picker
          name="user_ids"
          label={t("gamification:users")}
          path="/api/users/tabularlist"
          query={(text) => (text ? { search_param: { nameOrEmail: text } } : {})}
          toChoice={({ id, first_name, last_name, email }) => ({ id, name: `${first_name} ${last_name} (${email})` })}
          selected={selected}
          onSelect={setSelected}
        />
      </Form>
    </Dialog>
  )
}

const toBody = (values: Values) => ({
  title: values.text("title"),
  badgeIconUrl: values.text("badgeIconUrl"),
  points: values.number("points") ?? 0,
})

export default function Badges() {
  const [awarded, setAwarded] = useState<Badge>()
  return (
    <>
      <RecordsPage
        kind={{
          list: "/api/badges/tabularlist",
          record: "/api/badge/{id}",
          nameOf: ({ title }) => title,
          fields: (badge) => (
            <BadgeFields {...(badge && { title: badge.title, icon: badge.badgeIconUrl, points: badge.points })} />
          ),
          toBody,
          create: (body) => api.POST("/api/badge/create", { body }),
          change: (id, body, headers) => api.PUT("/api/badge/{id}", { params: { path: { id } }, body, headers }),
          remove: (id) => api.POST("/api/badge/delete", { body: { id } }),
          invalidates: ["/api/badge"],
        }}
        icon={Trophy}
        texts={{
          title: t("gamification:badges"),
          new: t("gamification:badge.new"),
          edit: t("gamification:badge.edit"),
          delete: t("gamification:badge.delete"),
          deleteHint: t("gamification:badge.delete.hint"),
          empty: t("gamification:badges.empty"),
        }}
        canChange
        actions={
          <>
            <a class="button" href="/console/badges/events">
              {t("gamification:events")}
            </a>
            <a class="button" href="/console/badges/leaderboard">
              {t("gamification:leaderboard")}
            </a>
          </>
        }
        filters={[{ name: "title", label: t("name") }]}
        nameColumn={{
          sort: "title",
          render: ({ title, badgeIconUrl }) => (
            <span class="badge-name">
              <BadgeIcon url={badgeIconUrl} />
              {title}
            </span>
          ),
        }}
        columns={[
          {
            key: "points",
            title: t("gamification:points"),
            sort: "points",
            numeric: true,
            render: ({ points }) => number(points),
          },
        ]}
        rowActions={(badge) => (
          <button type="button" onClick={() => setAwarded(badge)}>
            {t("gamification:award")} <span class="unseen">{badge.title}</span>
          </button>
        )}
      />
      {awarded && <AwardDialog badge={awarded} onClose={() => setAwarded(undefined)} />}
    </>
  )
}
