import { useEffect, useRef, useState } from "react";
import { useApiDispatch } from "@/api/dispatch";
import { tellUploaded, uploadVersion, type Upload } from "@/api/datasets";
import type { VersionOut } from "@/api/generated/config-api";

export interface UploadState {
  /** The share of the file that is sent, from 0 to 1; null when no upload is running. */
  sent: number | null;
  error: unknown;
}

const IDLE: UploadState = { sent: null, error: undefined };
const UNREADABLE = { data: { title: "This file cannot be read", detail: "It was changed or moved since it was chosen, or it is a folder. Choose it again." } };

/** Run one upload at a time. It ends when the page closes or the user cancels it. */
export function useUpload() {
  const dispatch = useApiDispatch();
  const [state, setState] = useState(IDLE);
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);

  const start = async (upload: Upload): Promise<VersionOut | null> => {
    const control = new AbortController();
    running.current = control;
    setState({ sent: 0, error: undefined });
    try {
      // Read one byte first: a failed request does not say that the file was unreadable.
      await upload.file.slice(0, 1).arrayBuffer();
    } catch {
      setState({ sent: null, error: UNREADABLE });
      return null;
    }
    const answer = await uploadVersion(upload, (sent) => setState({ sent, error: undefined }), control.signal);
    if (control.signal.aborted) {
      // The server may have stored the version before the abort arrived.
      tellUploaded(dispatch, upload.datasetId);
      return null;
    }
    running.current = null;
    setState("error" in answer ? { sent: null, error: answer.error } : IDLE);
    if ("error" in answer) return null;
    tellUploaded(dispatch, upload.datasetId);
    return answer.data;
  };
  const stop = () => {
    running.current?.abort();
    setState(IDLE);
  };
  return { ...state, start, stop, forget: () => setState(IDLE) };
}
