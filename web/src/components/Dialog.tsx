/** Modal windows: focus stays inside, Esc closes, focus returns to where it was. */

import { Dialog as Base, DialogPanel, DialogTitle, DialogBackdrop } from "@headlessui/react";
import { useDeferredValue, useEffect, type ReactNode } from "react";

/** A dialog that is open in its first render would leave the page behind it reachable: the library looks for the page only
 * after that render. So each dialog opens one render later. */
function useOpen(open: boolean): boolean {
  const drawn = useDeferredValue(true, false);
  useReturnOfFocus();
  return open && drawn;
}

/** The library restores focus only to elements focused since it was loaded, and it is loaded with the first dialog. */
function useReturnOfFocus(): void {
  useEffect(() => {
    const before = document.activeElement;
    return () => {
      requestAnimationFrame(() => {
        if (document.activeElement === document.body && before instanceof HTMLElement && before.isConnected) before.focus();
      });
    };
  }, []);
}

interface Props {
  open: boolean;
  onClose: () => void;
  title: ReactNode;
  children: ReactNode;
}

/** A question that must be answered first. */
export function AlertDialog({ open, onClose, title, children }: Props) {
  return (
    <Base open={useOpen(open)} onClose={onClose} role="alertdialog" className="relative z-40">
      <DialogBackdrop className="fixed inset-0 bg-black/40" />
      <div className="fixed inset-0 grid place-items-center p-4">
        <DialogPanel className="card w-full max-w-md p-5 shadow-panel">
          <DialogTitle className="text-base font-semibold">{title}</DialogTitle>
          {children}
        </DialogPanel>
      </div>
    </Base>
  );
}

/** A form over the page; Esc or a click outside closes it. */
export function FormDialog({ open, onClose, title, children }: Props) {
  return (
    <Base open={useOpen(open)} onClose={onClose} className="relative z-40">
      <DialogBackdrop className="fixed inset-0 bg-black/40" />
      <div className="fixed inset-0 overflow-y-auto">
        <div className="grid min-h-full place-items-center p-4">
          <DialogPanel className="card w-full max-w-xl p-5 shadow-panel">
            <DialogTitle className="text-base font-semibold">{title}</DialogTitle>
            {children}
          </DialogPanel>
        </div>
      </div>
    </Base>
  );
}

/** A panel from the right edge: full screen on a phone, a column elsewhere. */
export function SidePanel({ open, onClose, title, wide = false, children }: Props & { /** Widen the panel for content in two columns. */ wide?: boolean }) {
  return (
    <Base open={useOpen(open)} onClose={onClose} className="relative z-40">
      <DialogBackdrop className="fixed inset-0 bg-black/30 print:hidden" />
      <DialogPanel data-paper className={`fixed top-(--banner,0px) right-0 bottom-0 flex w-full flex-col border-l border-line bg-surface shadow-panel ${wide ? "lg:max-w-[min(110rem,92vw)]" : "sm:max-w-2xl"}`}>
        <DialogTitle className="sr-only">{title}</DialogTitle>
        {children}
      </DialogPanel>
    </Base>
  );
}
