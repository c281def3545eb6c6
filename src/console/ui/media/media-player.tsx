import { useEffect, useRef } from "preact/hooks"
import type { Schemas } from "../../../client/index.ts"
import { t } from "../../messages/messages.ts"
import "./media.css"

/** What the player needs of a file of the media library. */
export type PlayedMedia = Pick<
  Schemas["MediaFile"],
  "kind" | "name" | "url" | "mimeType" | "captions" | "transcript"
> & { altText?: string }

interface PlayerProps {
  /** Called while it plays. */
  onActive?: () => void
}

const HEARTBEAT_MS = 15_000

/** Plays a video or audio file with its captions, or shows a PDF or an image. */
export function MediaPlayer({ media, onActive = () => {} }: PlayerProps & { media: PlayedMedia }) {
  const { kind, name, url, mimeType, captions, transcript, altText } = media
  const language = document.documentElement.lang
  const tracks = captions.map((track) => (
    <track
      key={track.language}
      kind="captions"
      srcLang={track.language}
      label={track.label}
      src={track.url}
      default={track.language.split("-")[0] === language}
    />
  ))
  return (
    <figure class="media-player">
      {kind === "video" && (
        // biome-ignore lint/a11y/useMediaCaption: the tracks of the file
        <video class="video" controls playsInline preload="metadata" aria-label={name} onTimeUpdate={onActive}>
          <source src={url} type={mimeType === "video/quicktime" ? "video/mp4" : mimeType} />
          {tracks}
        </video>
      )}
      {kind === "audio" && (
        // biome-ignore lint/a11y/useMediaCaption: the tracks of the file
        <audio controls preload="metadata" src={url} aria-label={name} onTimeUpdate={onActive}>
          {tracks}
        </audio>
      )}
      {kind === "pdf" && (
        <>
          <Frame class="pdf" src={url} title={name} onActive={onActive} />
          <p>
            <a href={url} target="_blank" rel="noreferrer">
              {t("media.open", { name })}
            </a>
          </p>
        </>
      )}
      {kind === "image" && <img src={url} alt={altText ?? ""} />}
      {transcript && (
        <details>
          <summary>{t("media.transcript")}</summary>
          <p class="transcript" dir="auto">
            {transcript}
          </p>
        </details>
      )}
    </figure>
  )
}

/** A video of YouTube or Vimeo in its own player. */
export const EmbeddedVideo = ({ src, onActive = () => {} }: PlayerProps & { src: string }) => (
  <Frame class="video" src={src} title={t("media.video")} onActive={onActive} isPlayer />
)

interface FrameProps {
  class: string
  src: string
  title: string
  onActive: () => void
  /** A player of another site. */
  isPlayer?: boolean
}

/** A frame whose content reports no activity: it counts while the focus is in it. */
function Frame({ class: name, src, title, onActive, isPlayer = false }: FrameProps) {
  const frame = useRef<HTMLIFrameElement>(null)
  useEffect(() => {
    const timer = setInterval(() => {
      if (document.activeElement === frame.current) onActive()
    }, HEARTBEAT_MS)
    return () => clearInterval(timer)
  }, [onActive])
  return (
    <iframe
      ref={frame}
      class={name}
      src={src}
      title={title}
      loading="lazy"
      // The players refuse pages that they do not know.
      {...(isPlayer && {
        referrerpolicy: "strict-origin-when-cross-origin",
        allow: "fullscreen; picture-in-picture; encrypted-media",
        allowFullScreen: true,
      })}
    />
  )
}
