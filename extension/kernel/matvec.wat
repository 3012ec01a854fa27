;; Matrix times vector, four lanes at a time, on memory that belongs to someone else.
;;
;; numpy in WebAssembly has neither BLAS nor SIMD. This module imports the memory numpy's arrays live in and
;; works on them in place: the caller passes addresses, nothing is copied.
;;
;;   matvec_f32(m, q, out, n, d)   out[i] = sum_j m[i,j] * q[j]    m float32 (n, d), q float32 (d), out float32 (n)
;;   matvec_i8 (m, q, out, n, d)   the same sum                    m int8 (n, d),    q int16 (d),   out int32 (n)
;;
;; m, q and out are byte addresses of C-contiguous arrays; d is a positive multiple of 16; n may be 0.
;; matvec_i8 takes a query already widened to int16 because dot_i16x8 multiplies 16-bit lanes and adds
;; neighbours into 32 bits: |m|, |q| <= 127 cannot overflow below d = 133,000.
(module
  (import "env" "memory" (memory 0))

  ;; The sum of the four lanes, pairwise.
  (func $sum_f32 (param $v v128) (result f32)
    (f32.add
      (f32.add (f32x4.extract_lane 0 (local.get $v)) (f32x4.extract_lane 1 (local.get $v)))
      (f32.add (f32x4.extract_lane 2 (local.get $v)) (f32x4.extract_lane 3 (local.get $v)))))

  (func $sum_i32 (param $v v128) (result i32)
    (i32.add
      (i32.add (i32x4.extract_lane 0 (local.get $v)) (i32x4.extract_lane 1 (local.get $v)))
      (i32.add (i32x4.extract_lane 2 (local.get $v)) (i32x4.extract_lane 3 (local.get $v)))))

  (func (export "matvec_f32") (param $m i32) (param $q i32) (param $out i32) (param $n i32) (param $d i32)
    (local $column i32) (local $end i32)
    ;; Four independent sums keep the adder busy: each add waits for its own predecessor only.
    (local $s0 v128) (local $s1 v128) (local $s2 v128) (local $s3 v128)
    (local.set $end (i32.add (local.get $q) (i32.shl (local.get $d) (i32.const 2))))
    (block $done
      (loop $row
        (br_if $done (i32.eqz (local.get $n)))
        (local.set $s0 (v128.const i32x4 0 0 0 0))
        (local.set $s1 (v128.const i32x4 0 0 0 0))
        (local.set $s2 (v128.const i32x4 0 0 0 0))
        (local.set $s3 (v128.const i32x4 0 0 0 0))
        (local.set $column (local.get $q))
        (loop $columns
          (local.set $s0 (f32x4.add (local.get $s0)
            (f32x4.mul (v128.load (local.get $m)) (v128.load (local.get $column)))))
          (local.set $s1 (f32x4.add (local.get $s1)
            (f32x4.mul (v128.load offset=16 (local.get $m)) (v128.load offset=16 (local.get $column)))))
          (local.set $s2 (f32x4.add (local.get $s2)
            (f32x4.mul (v128.load offset=32 (local.get $m)) (v128.load offset=32 (local.get $column)))))
          (local.set $s3 (f32x4.add (local.get $s3)
            (f32x4.mul (v128.load offset=48 (local.get $m)) (v128.load offset=48 (local.get $column)))))
          (local.set $m (i32.add (local.get $m) (i32.const 64)))
          (local.set $column (i32.add (local.get $column) (i32.const 64)))
          (br_if $columns (i32.lt_u (local.get $column) (local.get $end))))
        (f32.store (local.get $out)
          (call $sum_f32 (f32x4.add
            (f32x4.add (local.get $s0) (local.get $s1))
            (f32x4.add (local.get $s2) (local.get $s3)))))
        (local.set $out (i32.add (local.get $out) (i32.const 4)))
        (local.set $n (i32.sub (local.get $n) (i32.const 1)))
        (br $row))))

  (func (export "matvec_i8") (param $m i32) (param $q i32) (param $out i32) (param $n i32) (param $d i32)
    (local $column i32) (local $end i32) (local $row16 v128)
    (local $low v128) (local $high v128)
    (local.set $end (i32.add (local.get $q) (i32.shl (local.get $d) (i32.const 1))))
    (block $done
      (loop $row
        (br_if $done (i32.eqz (local.get $n)))
        (local.set $low (v128.const i32x4 0 0 0 0))
        (local.set $high (v128.const i32x4 0 0 0 0))
        (local.set $column (local.get $q))
        (loop $columns
          (local.set $row16 (v128.load (local.get $m)))
          (local.set $low (i32x4.add (local.get $low)
            (i32x4.dot_i16x8_s (i16x8.extend_low_i8x16_s (local.get $row16)) (v128.load (local.get $column)))))
          (local.set $high (i32x4.add (local.get $high)
            (i32x4.dot_i16x8_s (i16x8.extend_high_i8x16_s (local.get $row16))
              (v128.load offset=16 (local.get $column)))))
          (local.set $m (i32.add (local.get $m) (i32.const 16)))
          (local.set $column (i32.add (local.get $column) (i32.const 32)))
          (br_if $columns (i32.lt_u (local.get $column) (local.get $end))))
        (i32.store (local.get $out) (call $sum_i32 (i32x4.add (local.get $low) (local.get $high))))
        (local.set $out (i32.add (local.get $out) (i32.const 4)))
        (local.set $n (i32.sub (local.get $n) (i32.const 1)))
        (br $row)))))
