;;; test.el --- Tests of tile-mode against the real server -*- lexical-binding: t; -*-
(require 'ert)
(require 'eglot)
(require 'tile-mode)

(setq tile-server-command (list (getenv "TILE") "lsp")
      eglot-sync-connect 10)

(defconst tile-test-broken "cuda_tile.module @broken {
  entry @broken() {
    %one = constant <f32: 1.0> : tile<f32>
    %sum = addf %one, %undefined : tile<f32>
    %twice =   addf %one, %one : tile<f32>
    return
  }
}
")

(defconst tile-test-hello "cuda_tile.module @hello {
  //@ launch \"once\" grid=(1, 1, 1)
  entry @hello() {
    %x, %y, %z = get_tile_block_id : tile<i32>
    %t = print_tko \"hello from block %i\\n\", %x : tile<i32> -> token
    return
  }
}
")

(defun tile-test-wait (what ask)
  "Wait until ASK answers; WHAT names it."
  (let ((end (+ (float-time) 15)) answer)
    (while (and (not (setq answer (funcall ask))) (< (float-time) end))
      (accept-process-output nil 0.05))
    (or answer (ert-fail (format "never came: %s" what)))))

(defmacro tile-test-with (name text &rest body)
  "Run BODY in a buffer of file NAME with TEXT, served by the language server."
  (declare (indent 2))
  `(let ((file (expand-file-name ,name (getenv "SCRATCH"))))
     (with-temp-file file (insert ,text))
     (with-current-buffer (find-file-noselect file)
       (unwind-protect
           (progn (unless (eglot-current-server) (apply #'eglot (eglot--guess-contact)))
                  ,@body)
         (set-buffer-modified-p nil)
         (kill-buffer)))))

(ert-deftest tile-colours-and-indents ()
  (with-temp-buffer
    (insert tile-test-broken)
    (tile-mode)
    (font-lock-ensure)
    (goto-char (point-min))
    (search-forward "addf")
    (should (eq (get-text-property (match-beginning 0) 'face) 'font-lock-builtin-face))
    (search-forward "return")
    (should (eq (get-text-property (match-beginning 0) 'face) 'font-lock-keyword-face))
    (beginning-of-line)
    (delete-horizontal-space)
    (indent-for-tab-command)
    (should (= (current-indentation) 4))))

(ert-deftest tile-diagnostics-hover-format ()
  (tile-test-with "broken.tile" tile-test-broken
    (flymake-mode 1)
    (flymake-start)
    (let ((found (tile-test-wait "a diagnostic" #'flymake-diagnostics)))
      (should (seq-some (lambda (each) (string-match-p "%undefined" (flymake-diagnostic-text each))) found)))
    (goto-char (point-min))
    (search-forward "%twice")
    (backward-char 2)
    (let ((hover (jsonrpc-request (eglot-current-server) :textDocument/hover (eglot--TextDocumentPositionParams))))
      (should (string-match-p "tile<f32>" (format "%S" hover))))
    (eglot-format-buffer)
    (goto-char (point-min))
    (should (search-forward "    %twice = addf %one, %one : tile<f32>\n" nil t))))

(ert-deftest tile-runs-on-request-only ()
  (tile-test-with "hello.tile" tile-test-hello
    (should-not (string-match-p "hello from" (with-current-buffer (tile--output) (buffer-string))))
    (goto-char (point-min))
    (search-forward "print_tko")
    (tile-run)
    (tile-test-wait "the printed text"
                    (lambda () (string-match-p "hello from block 0" (with-current-buffer (tile--output) (buffer-string)))))))
;;; test.el ends here
